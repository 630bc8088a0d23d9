/**
 * The page's heading takes the focus when what had it is gone, or another page has come.
 * @returns the heading; undefined while there is none yet
 */
export function focusHeading(): HTMLElement | undefined {
  const heading = document.querySelector<HTMLElement>('main h1[tabindex]') ?? undefined;
  heading?.focus({ preventScroll: true });
  return heading;
}
