/**
 * The page's heading takes the focus when what had it is gone, or another page has come.
 * @returns false while there is none yet
 */
export function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1[tabindex]');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}
