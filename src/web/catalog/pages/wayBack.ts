import type { RouterHistory } from '@tanstack/react-router';

/** The page a visitor came from to a product, and its index in the history of this document. */
export interface WayBack {
  href: string;
  index: number;
}

/**
 * Products, and pages that may come between a product and itself: login, registration, account edits. Back skips these.
 */
export const isSkippedByBack = (path: string): boolean =>
  /^\/(?:login|register|p\/|customer\/(?:edit|view\/product)\/)/.test(path);

/**
 * Stores in each history entry the page before it, skipping pages that Back passes by. It is in the entry itself, so
 * that it survives a reload.
 * Rule: docs/rules/catalog.md, Product page
 */
export function trackWayBack(history: RouterHistory): void {
  const { push, replace } = history;
  history.push = (path, state, options) => {
    const { pathname, href, state: here } = history.location;
    const wayBack = isSkippedByBack(pathname) ? here.wayBack : { href, index: here.__TSR_index };
    push(path, { ...state, wayBack }, options);
  };
  history.replace = (path, state, options) =>
    replace(path, { ...state, wayBack: history.location.state.wayBack }, options);
}
