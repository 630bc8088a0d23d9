import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { focusHeading } from '../ui/focusHeading';

const afterOverlaysMs = 50; // a menu or dialog that closes with the change gives its focus back first
const waitForHeadingMs = 10_000;

/**
 * After a change of page the focus moves to its heading, so that screen readers and keyboards start there. A page that
 * still loads may have none yet, or another one than with its data ('Cart', and then 'Cart is Empty'): both are waited
 * for, unless the user went somewhere meanwhile.
 * @returns the new page's title, to be announced
 */
export function useFocusOnHeading(): string {
  const router = useRouter();
  const [title, setTitle] = useState('');
  useEffect(() => {
    let stop = () => undefined as void;
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged || toLocation.hash) return;
      stop();
      const timer = setTimeout(() => {
        setTitle(document.title);
        stop = followHeading();
      }, afterOverlaysMs);
      stop = () => clearTimeout(timer);
    });
    return () => {
      unsubscribe();
      stop();
    };
  }, [router]);
  return title;
}

/** @returns how to stop following it */
function followHeading(): () => void {
  const left = document.activeElement;
  let heading = focusHeading();
  const observer = new MutationObserver(() => {
    if (heading?.isConnected) return;
    const { activeElement } = document;
    if (activeElement !== document.body && (heading || activeElement !== left)) observer.disconnect();
    else heading = focusHeading() ?? heading;
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => heading ?? observer.disconnect(), waitForHeadingMs);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
