import { reloadedForKey } from '../../shared/deviceNames';
import { attempt } from '../browser/attempt';

/**
 * A lazily loaded chunk may no longer exist on the server: after two releases, or when the server was started from a
 * fresh folder. Then the page is reloaded once, which gets the current chunks; unsent changes are safe in the outbox.
 * The router does the same for lazy pages. Rule: docs/rules/offline.md, New versions
 */

/** @param error thrown while rendering a page */
export const isMissingChunk = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message);

/**
 * Reloads once per release: a second time, the same release would miss the same chunk. Without storage it never
 * reloads.
 */
export const reloadOnce = (): void =>
  attempt(() => {
    if (sessionStorage.getItem(reloadedForKey) === import.meta.url) return;
    sessionStorage.setItem(reloadedForKey, import.meta.url);
    location.reload();
  });
