import { listen, stopAll } from '../browser/listen';
import { focusHeading } from './focusHeading';

export const afterOthersMs = 100; // a dialog that closes, and a page that knows better, move it first

/**
 * Moves the focus on when its element is removed or disabled: a line that is discarded, the last 'Next'. The browser would
 * have it then, and whoever goes by keys would start anew at the top of the page. The focus moves to the dialog on top, or
 * to the page's heading.
 * @returns how to stop
 */
export function keepFocus(): () => void {
  let last: Element | undefined;
  const follow = ({ target }: FocusEvent) => (last = target instanceof Element ? target : undefined);
  const forget = ({ target, relatedTarget }: FocusEvent) => {
    // somebody has put it away; one that goes with its element is told of in some browsers too, before it is gone
    if (!relatedTarget) setTimeout(() => last === target && !isGone(target) && (last = undefined));
  };
  const moveOn = (gone: Element) => {
    if (last !== gone || !isGone(gone)) return;
    const { activeElement } = document;
    if (activeElement !== document.body && activeElement !== gone) return;
    last = undefined;
    const dialog = [...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog]')].at(-1);
    if (dialog) dialog.focus({ preventScroll: true });
    else focusHeading();
  };
  const observer = new MutationObserver(() => {
    if (last && isGone(last)) setTimeout(moveOn, afterOthersMs, last);
  });
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return stopAll(listen(document, 'focusin', follow), listen(document, 'focusout', forget), () => {
    observer.disconnect();
    last = undefined; // a timer that is still set does nothing
  });
}

const isGone = (element: unknown): boolean =>
  element instanceof Element && (!element.isConnected || element.matches(':disabled'));
