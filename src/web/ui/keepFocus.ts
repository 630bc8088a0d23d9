import { listen, stopAll } from '../browser/listen';
import { focusHeading } from './focusHeading';

export const afterOthersMs = 100; // closing dialogs and pages with a better target move the focus first

/**
 * Moves the focus when the focused element is removed or disabled (a discarded row, the last "Next"). Otherwise it
 * would fall back to the body, and keyboard users would start at the top of the page. The focus moves to the topmost
 * dialog, or to the page's heading.
 * @returns a function that stops it
 */
export function keepFocus(): () => void {
  let last: Element | undefined;
  const follow = ({ target }: FocusEvent) => (last = target instanceof Element ? target : undefined);
  const forget = ({ target, relatedTarget }: FocusEvent) => {
    // some browsers also blur an element just before they remove it, so a real blur is told apart a moment later
    if (!relatedTarget) setTimeout(() => last === target && !isGone(target) && (last = undefined));
  };
  const moveFocus = (gone: Element) => {
    if (last !== gone || !isGone(gone)) return;
    const { activeElement } = document;
    if (activeElement !== document.body && activeElement !== gone) return;
    last = undefined;
    const dialog = [...document.querySelectorAll<HTMLElement>('[role$=dialog]')].at(-1);
    if (dialog) dialog.focus({ preventScroll: true });
    else focusHeading();
  };
  const observer = new MutationObserver(() => {
    if (last && isGone(last)) setTimeout(moveFocus, afterOthersMs, last);
  });
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return stopAll(listen(document, 'focusin', follow), listen(document, 'focusout', forget), () => {
    observer.disconnect();
    last = undefined; // makes a pending timer a no-op
  });
}

const isGone = (element: unknown): boolean =>
  element instanceof Element && (!element.isConnected || element.matches(':disabled'));
