import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { focusHeading } from '../ui/focusHeading';

const afterOverlaysMs = 50; // a menu or dialog that closes with the change gives its focus back first
const waitForHeadingMs = 10_000;

/**
 * After a change of page the focus moves to its heading, so that screen readers and keyboards start there. A page that
 * still loads may have none yet: then it is waited for, unless the user went somewhere meanwhile.
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
        stop = focusOnceThere();
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

/** @returns how to stop waiting for it */
function focusOnceThere(): () => void {
  if (focusHeading()) return () => undefined;
  const left = document.activeElement;
  const observer = new MutationObserver(() => {
    const isElsewhere = document.activeElement !== left && document.activeElement !== document.body;
    if (isElsewhere || focusHeading()) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => observer.disconnect(), waitForHeadingMs);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
