/** The pages of lists by name, each in its own chunk. */
const pages = {
  lists: async () => (await import('./ListsPage')).ListsPage,
  list: async () => (await import('./ListPage')).ListPage,
  changes: async () => (await import('./ChangesPage')).ChangesPage,
  count: async () => (await import('./CountPage')).CountPage,
};

export type ListsPage = keyof typeof pages;

export const loadPage = async (name: ListsPage) => ({ default: await pages[name]() });
