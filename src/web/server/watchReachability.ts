import { listen, stopAll } from '../browser/listen';
import { reachability } from './reachability';

/** Probes the shop on events that suggest a change. @returns a function that stops it */
export function watchReachability(): () => void {
  const probeIfVisible = () => void (document.visibilityState === 'visible' && reachability.probe());
  if (!navigator.onLine) probeIfVisible();
  return stopAll(...['online', 'offline', 'focus'].map((type) => listen(window, type, probeIfVisible)));
}
