import { useEffect, useState } from 'react';
import { listen, stopAll } from '../../browser/listen';

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
function keepAwake(notify: (isOn: boolean) => void): () => void {
  const { wakeLock } = navigator as { wakeLock?: WakeLock }; // absent in older browsers and in insecure contexts
  if (!wakeLock) return () => undefined;
  let lock: WakeLockSentinel | undefined;
  let isStopped = false;
  let isRequesting = false;
  const request = async () => {
    if (isRequesting || isStopped || document.visibilityState !== 'visible' || lock?.released === false) return;
    isRequesting = true;
    try {
      lock = await wakeLock.request('screen');
      lock.addEventListener('release', () => isStopped || notify(false));
      notify(!isStopped && !lock.released);
    } catch {
      notify(false);
    } finally {
      isRequesting = false;
    }
    if (isStopped) void lock?.release();
  };
  void request();
  return stopAll(
    listen(document, 'visibilitychange', () => void request()),
    () => {
      isStopped = true;
      void lock?.release();
    },
  );
}
