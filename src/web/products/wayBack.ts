import type { RouterHistory } from '@tanstack/react-router';

/** The page that the visitor came from to a product, and its place in the history of this document. */
export interface WayBack {
  href: string;
  index: number;
}

/** A product, and what stands between a product and itself: login, registration, duties. Nobody means these by Back. */
export const isPassedBy = (path: string): boolean =>
  /^\/(?:login|register|customer\/(?:edit|view\/product)\/)/.test(path);

/**
 * Lets each entry of the history know the page that was there before it, and for what is passed by the one before that.
 * It stands in the entry itself, so that a reload keeps it.
 * Rule: docs/rules/catalog.md, Product page
 */
export function keepWayBack(history: RouterHistory): void {
  const { push, replace } = history;
  history.push = (path, state, options) => {
    const { pathname, href, state: here } = history.location;
    const wayBack = isPassedBy(pathname) ? here.wayBack : { href, index: here.__TSR_index };
    push(path, { ...state, wayBack }, options);
  };
  history.replace = (path, state, options) =>
    replace(path, { ...state, wayBack: history.location.state.wayBack }, options);
}
