import { useEffect, useRef } from 'react';
import { listen, stopAll } from '../../browser/listen';

/**
 * Saves an entry when the page is hidden or left, because a removed field gets no blur event.
 * @param entered undefined while nothing is being entered
 * @param afterMs also saves when the entry has not changed for this long; undefined: does not
 */
export function useSaveEntry(save: () => void, entered: string | undefined, afterMs?: number): void {
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => () => latest.current(), []); // Back leaves the page as well
  const isEntering = entered !== undefined;
  useEffect(() => {
    if (!isEntering) return undefined;
    const saveNow = () => latest.current();
    return stopAll(listen(window, 'pagehide', saveNow), listen(document, 'visibilitychange', saveNow));
  }, [isEntering]);
  useEffect(() => {
    if (entered === undefined || afterMs === undefined) return undefined;
    const timer = setTimeout(() => latest.current(), afterMs);
    return () => clearTimeout(timer);
  }, [entered, afterMs]);
}
