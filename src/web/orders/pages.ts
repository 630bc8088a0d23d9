/** The pages of orders by name, so that the first load does not name a file of each. */
const pages = {
  orders: async () => (await import('./OrdersPage')).OrdersPage,
  receipt: async () => (await import('./ReceiptPage')).ReceiptPage,
};

export type OrdersPage = keyof typeof pages;

export const loadPage = async (name: OrdersPage) => ({ default: await pages[name]() });
