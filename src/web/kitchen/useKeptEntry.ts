import { useEffect, useRef } from 'react';
import { listen, stopAll } from '../browser/listen';

/**
 * Keeps what somebody enters as the page is hidden or left: no browser takes the focus off a field that goes.
 * @param entered undefined where nothing is being entered
 * @param afterMs also when it was the same for so long; undefined: not
 */
export function useEnteredCount(keep: () => void, entered: string | undefined, afterMs?: number): void {
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });
  useEffect(() => () => latest.current(), []); // Back leads away as well
  const isEntering = entered !== undefined;
  useEffect(() => {
    if (!isEntering) return undefined;
    const now = () => latest.current();
    return stopAll(listen(window, 'pagehide', now), listen(document, 'visibilitychange', now));
  }, [isEntering]);
  useEffect(() => {
    if (entered === undefined || afterMs === undefined) return undefined;
    const timer = setTimeout(() => latest.current(), afterMs);
    return () => clearTimeout(timer);
  }, [entered, afterMs]);
}
