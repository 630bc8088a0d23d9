import { useEffect, useState } from 'react';
import { listen, stopAll } from '../browser/listen';

/**
 * Keeps the screen on while the page is there and seen. The browser takes the lock back when the page is hidden, or when the
 * battery is low; it is asked for again when the page is seen again.
 * @returns whether the screen stays on; false where the browser has no such lock, or refuses it
 */
export function useWakeLock(): boolean {
  const [isOn, setOn] = useState(false);
  useEffect(() => keepAwake(setOn), []);
  return isOn;
}

/** @returns how to stop */
function keepAwake(tell: (isOn: boolean) => void): () => void {
  const { wakeLock } = navigator as { wakeLock?: WakeLock }; // absent in older browsers, and where it is not served securely
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
