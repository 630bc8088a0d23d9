import { listen } from './listen';

/**
 * Awaits a dynamic import. Firefox aborts requests as soon as a navigation starts, long before the next page is there.
 * An import that fails for that reason isn't lost, and reloading the page because of it would cancel the user's
 * navigation.
 * Rule: docs/rules/offline.md, New versions
 * @returns the module; on a page that is being left it stays pending until the page is used again
 * @throws the import's error
 */
export async function importWhileHere<Part>(part: Promise<Part>): Promise<Part> {
  let isLeaving = false;
  // only during the import: browsers may not cache a page that has this listener
  const stop = listen(globalThis.window, 'beforeunload', () => (isLeaving = true));
  try {
    return await part;
  } catch (error) {
    if (isLeaving) await untilUsed();
    throw error;
  } finally {
    stop();
  }
}

/** The user stayed: the navigation was a download or was stopped, or the page came back from the back/forward cache. */
const untilUsed = () =>
  new Promise<void>((resolve) => {
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => resolve(), { once: true });
    listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => persisted && resolve());
  });
