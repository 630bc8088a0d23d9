import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { listen, stopAll } from '../browser/listen';
import { focusHeading } from '../ui/focusHeading';

const afterOverlaysMs = 50; // a menu or dialog that closes with the navigation returns its focus first
const waitForHeadingMs = 10_000;

/**
 * After navigation, moves the focus to the page's heading, so that screen readers and keyboards start there. A page
 * that is still loading may have no heading yet, or another one than with its data ("Cart", then "Cart is Empty"): both
 * are awaited, unless the user has moved the focus. After going back, the link that led away takes the focus.
 * @returns the new page's title, to be announced
 */
export function useFocusOnHeading(): string {
  const router = useRouter();
  const [title, setTitle] = useState('');
  useEffect(() => {
    let stop = () => undefined as void;
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged || toLocation.hash) return;
      if (document.activeElement?.matches('a[role=radio]')) return; // another size was chosen, and keeps the focus
      stop();
      const [previous, stopWatching] = [document.activeElement, watchPresses()];
      const timer = setTimeout(() => {
        setTitle(document.title);
        const { activeElement } = document;
        const hasPressed = stopWatching();
        if (hasPressed && activeElement !== previous && activeElement !== document.body) return;
        const isBack = toLocation.state.__TSR_index < fromLocation.state.__TSR_index;
        stop = followHeading(isBack && `main a[href="${fromLocation.href}"]`);
      }, afterOverlaysMs);
      stop = () => {
        clearTimeout(timer);
        stopWatching();
      };
    });
    return () => {
      unsubscribe();
      stop();
    };
  }, [router]);
  return title;
}

/** @returns stops watching and returns whether the user pressed anything */
function watchPresses(): () => boolean {
  let hasPressed = false;
  const press = () => (hasPressed = true);
  const stop = stopAll(listen(window, 'pointerdown', press, true), listen(window, 'keydown', press, true));
  return () => {
    stop();
    return hasPressed;
  };
}

/**
 * @param link selector of the element to focus instead, as soon as it exists
 * @returns a function that stops it
 */
function followHeading(link: string | false): () => void {
  const previous = document.activeElement;
  let pendingLink = link;
  let heading: HTMLElement | undefined;
  const follow = () => {
    const focused = pendingLink && focusHeading(pendingLink);
    if (focused) pendingLink = false;
    if (focused || !heading?.isConnected) heading = focused || (focusHeading() ?? heading);
  };
  follow();
  const observer = new MutationObserver(() => {
    if (heading?.isConnected && !pendingLink) return;
    const { activeElement } = document;
    const isHere = activeElement === document.body || activeElement === (heading ?? previous);
    if (isHere) follow();
    else observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => heading ?? observer.disconnect(), waitForHeadingMs);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
