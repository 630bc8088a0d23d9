import { outbox } from '../outbox/outbox';
import { session } from '../server/session';

let shownCount = 0;

/** Shows the number of unsent edits on the installed app's icon. @returns a function that stops it */
export function followUnsent(): () => void {
  if (!('setAppBadge' in navigator)) return () => undefined;
  showUnsent();
  return outbox.subscribe(showUnsent);
}

function showUnsent(): void {
  const userId = session.get()?.id;
  const unsent = userId ? outbox.waiting(userId).length : 0;
  if (unsent === shownCount) return;
  shownCount = unsent;
  const done = unsent > 0 ? navigator.setAppBadge(unsent) : navigator.clearAppBadge();
  done.catch(() => undefined); // not installed, so there is no icon
}
