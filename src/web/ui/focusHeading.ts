/**
 * Focuses the page's heading, for example after navigation or when the focused element was removed.
 * @param selector another element to focus
 * @returns the focused element; undefined if it doesn't exist yet
 */
export function focusHeading(selector = 'main h1[tabindex]'): HTMLElement | undefined {
  const heading = document.querySelector<HTMLElement>(selector) ?? undefined;
  heading?.focus({ preventScroll: true });
  return heading;
}
