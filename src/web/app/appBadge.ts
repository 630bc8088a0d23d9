import { outbox } from '../outbox/outbox';
import { session } from '../server/session';

let shown = 0;

/** Shows on the icon of the installed app how many edits are unsent. @returns how to stop */
export function followUnsent(): () => void {
  if (!('setAppBadge' in navigator)) return () => undefined;
  showUnsent();
  return outbox.subscribe(showUnsent);
}

function showUnsent(): void {
  const userId = session.get()?.id;
  const unsent = userId ? outbox.waiting(userId).length : 0;
  if (unsent === shown) return;
  shown = unsent;
  const done = unsent > 0 ? navigator.setAppBadge(unsent) : navigator.clearAppBadge();
  done.catch(() => undefined); // not installed: there is no icon to show it on
}
