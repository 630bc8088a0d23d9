import { listen } from './listen';

/**
 * Waits for a part of the app that is loaded when it is needed. Firefox ends what is on its way as soon as a page begins to
 * be left, long before the next one is there: a part that fails then is not lost, and whoever loaded the page anew for it
 * would take the person back from where they are going. Rule: docs/rules/offline.md, New versions
 * @returns what the part brings; on a page that is being left nothing, as long as nobody uses it all the same
 * @throws what the part throws
 */
export async function whileHere<Part>(part: Promise<Part>): Promise<Part> {
  let isLeft = false;
  // as long as the part is on its way alone: browsers may not keep a page that listens for it
  const stop = listen(globalThis.window, 'beforeunload', () => (isLeft = true));
  try {
    return await part;
  } catch (error) {
    if (isLeft) await untilUsed();
    throw error;
  } finally {
    stop();
  }
}

/** The page stayed, as when what was asked for is a download, or somebody stopped it; or "back" brought it again. */
const untilUsed = () =>
  new Promise<void>((resolve) => {
    for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, () => resolve(), { once: true });
    listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => persisted && resolve());
  });
