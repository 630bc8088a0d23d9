import { listen, stopAll } from '../browser/listen';
import { reachability } from './reachability';

/** Probes the shop on events that suggest a change. @returns a function that stops it */
export function watchReachability(): () => void {
  const look = () => void (document.visibilityState === 'visible' && reachability.probe());
  if (!navigator.onLine) look();
  return stopAll(...['online', 'offline', 'focus'].map((type) => listen(window, type, look)));
}
