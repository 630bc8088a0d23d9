/**
 * The page's heading takes the focus when what had it is gone, or another page has come.
 * @param selector what else takes it
 * @returns what took it; undefined while there is none yet
 */
export function focusHeading(selector = 'main h1[tabindex]'): HTMLElement | undefined {
  const heading = document.querySelector<HTMLElement>(selector) ?? undefined;
  heading?.focus({ preventScroll: true });
  return heading;
}
