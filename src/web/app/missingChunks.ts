import { reloadedForKey } from '../../shared/deviceNames';
import { attempt } from '../browser/attempt';

/**
 * A part of the app that is loaded when it is needed may be gone by then: two releases later, or on a server that was
 * started from a fresh folder. A fresh page has all its parts, so the page is loaded anew, once: what is unsent waits in
 * the outbox. The router does the same for the parts that are pages. Rule: docs/rules/offline.md, New versions
 */

/** @param error what drawing a page threw */
export const isLostPart = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message);

/** A second time would not help: it is the same release that misses its part. A browser that keeps nothing is left as it is. */
export const reloadOnce = (): void =>
  attempt(() => {
    if (sessionStorage.getItem(reloadedForKey) === import.meta.url) return;
    sessionStorage.setItem(reloadedForKey, import.meta.url);
    location.reload();
  });
