import type { Role } from '../../shared/auth';
import { loggedOut, sessionKey } from '../../shared/deviceNames';
import { listen } from '../browser/listen';
import { readJson, removeText, writeJson, writeText } from '../browser/storage';
import { createEvent, useStore } from '../browser/store';
import { hasEndedWithBrowser } from './browserSession';

/**
 * Who is signed in, as far as this browser knows: id, name and role under the key `root`, and no token. The server
 * decides by its cookies alone; this is what guards and the header go by. All tabs share it, through the storage event.
 * Rule: docs/rules/accounts.md, Tokens and cookies
 */
export interface Session {
  id: string;
  fullName: string;
  role: Role;
}

/** @returns whether another tab signed in or out, of all that tabs keep in localStorage */
export const isAboutSession = (event: StorageEvent): boolean => event.key === sessionKey || event.key === null;

const changed = createEvent();
const userChanged = createEvent();
let current = read();
let isShared = true; // unless this browser did not take what was written
let wasLogout = false;

export const session = {
  get: () => current,
  /**
   * @returns who is signed in by what the tabs share: another tab's logout is there before this one hears of it. In a
   * browser that keeps nothing for us it is who signed in here.
   */
  stored: () => (isShared ? read() : current),
  set({ id, fullName, role }: Session) {
    const next = { id, fullName, role }; // nothing else of a user is kept
    isShared = writeJson(sessionKey, next) || read()?.id === next.id;
    change(next);
  },
  /** @param isLogout its user left, and is not expected back where they were */
  clear(isLogout = false) {
    if (isLogout) writeText(sessionKey, loggedOut); // other tabs hear of a logout by it
    removeText(sessionKey);
    wasLogout = isLogout;
    change(null);
  },
  /** @returns whether nobody is signed in because the user logged out: here, or in another tab as far as this one heard */
  hasLoggedOut: () => wasLogout,
  subscribe: changed.subscribe,
};

/** Calls `listener` when somebody else signed in, or nobody is any more. @returns how to stop listening */
export const whenUserChanges = userChanged.subscribe;

/** @returns null on the server and while its page is taken over, so that both draw the same */
export const useSession = (): Session | null => useStore(session, null);

/**
 * Looks again at what the tabs share; a page that was put away while another one signed out has missed it.
 * @param heard what another tab wrote
 */
export const readSessionAgain = (heard?: string | null): void => change(session.stored(), heard === loggedOut);

function change(next: Session | null, isLogout = false): void {
  const before = current;
  current = next;
  wasLogout = !next && (wasLogout || isLogout);
  changed.tell();
  if (before?.id !== next?.id) userChanged.tell();
}

/** @returns null also when the value under our key has another form, or its login has ended with the browser */
function read(): Session | null {
  const kept = hasEndedWithBrowser() ? undefined : readJson(sessionKey);
  const { id, fullName, role } = (kept ?? {}) as Partial<Session>;
  return typeof id === 'string' && typeof fullName === 'string' && typeof role === 'string'
    ? { id, fullName, role }
    : null;
}

listen(globalThis.window, 'storage', (told: StorageEvent) => isAboutSession(told) && readSessionAgain(told.newValue));
