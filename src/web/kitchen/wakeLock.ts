import { useEffect, useState } from 'react';
import { listen, stopAll } from '../browser/listen';

/**
 * Keeps the screen on while the page is visible. The browser releases the lock when the page is hidden or the battery
 * is low; it is requested again when the page becomes visible.
 * @returns whether the screen stays on; false if the browser has no wake lock or denies it
 */
export function useWakeLock(): boolean {
  const [isOn, setOn] = useState(false);
  useEffect(() => keepAwake(setOn), []);
  return isOn;
}

/** @returns a function that stops it */
function keepAwake(tell: (isOn: boolean) => void): () => void {
  const { wakeLock } = navigator as { wakeLock?: WakeLock }; // absent in older browsers and in insecure contexts
  if (!wakeLock) return () => undefined;
  let held: WakeLockSentinel | undefined;
  let isOver = false;
  let isAsking = false;
  const ask = async () => {
    if (isAsking || isOver || document.visibilityState !== 'visible' || held?.released === false) return;
    isAsking = true;
    try {
      held = await wakeLock.request('screen');
      held.addEventListener('release', () => isOver || tell(false));
      tell(!isOver && !held.released);
    } catch {
      tell(false);
    } finally {
      isAsking = false;
    }
    if (isOver) void held?.release();
  };
  void ask();
  return stopAll(
    listen(document, 'visibilitychange', () => void ask()),
    () => {
      isOver = true;
      void held?.release();
    },
  );
}
