import { sessionKey } from '../../shared/deviceNames';
import { listen } from '../browser/listen';
import { accessToken, renewToken, tokenOwner } from './accessToken';
import { session, type Session } from './session';

/**
 * A tab of the release before knows nothing of keys. Once its access token has run out it is refused a new one
 * (proof_required), takes that for the end of the session, and signs out all tabs. This tab then asks the shop, and signs in
 * again if the session goes on. After a logout there it does not: the shop hears of it before the tabs do, or it is owed
 * and goes before this question.
 * @param whenBack is called when the user is signed in again
 * @returns how to stop listening
 */
export const stayWithOldTabs = (whenBack: () => void): (() => void) =>
  listen(window, 'storage', ({ key, oldValue, newValue }: StorageEvent) => {
    if (key !== sessionKey || !oldValue || newValue !== null) return; // a tab of this release has emptied it first
    void comeBack(oldValue).then(
      (isBack) => isBack && whenBack(),
      () => undefined, // the shop could not say: the user stays signed out
    );
  });

/** @param kept what stood in localStorage */
async function comeBack(kept: string): Promise<boolean> {
  const user = JSON.parse(kept) as Session;
  if (!(await renewToken(undefined))) return false;
  const token = accessToken.get();
  if (!token || tokenOwner() !== user.id || session.get()) return false;
  session.set(user);
  accessToken.set(token); // a new user has begun without one
  return true;
}
