import { listen, stopAll } from '../browser/listen';
import { reachability } from './reachability';

/** Asks whether the shop can be reached when there is reason to. @returns how to stop */
export function watchReachability(): () => void {
  const look = () => void (document.visibilityState === 'visible' && reachability.probe());
  if (!navigator.onLine) look();
  return stopAll(...['online', 'offline', 'focus'].map((type) => listen(window, type, look)));
}
