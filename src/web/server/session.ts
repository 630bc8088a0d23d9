import type { Role } from '../../shared/auth';
import { loggedOut, sessionKey } from '../../shared/deviceNames';
import { listen } from '../browser/listen';
import { readJson, removeText, writeJson, writeText } from '../browser/storage';
import { createEvent, useStore } from '../browser/store';
import { hasEndedWithBrowser } from './browserSession';

/**
 * The signed-in user as this browser knows it: id, name and role under the key `root`, without a token. The server
 * decides by its cookies only; guards and the header use this. All tabs share it through the storage event.
 * Rule: docs/rules/accounts.md, Tokens and cookies
 */
export interface Session {
  id: string;
  fullName: string;
  role: Role;
}

/** @returns whether the storage event is about a login or logout in another tab */
export const isSessionEvent = (event: StorageEvent): boolean => event.key === sessionKey || event.key === null;

const changed = createEvent();
const userChanged = createEvent();
let current = read();
let isShared = true; // false when the browser failed to store the session
let wasLogout = false;

export const session = {
  get: () => current,
  /**
   * @returns the signed-in user according to localStorage, which includes a logout in another tab before this tab is
   * notified. Without storage: the user who signed in here.
   */
  stored: () => (isShared ? read() : current),
  set({ id, fullName, role }: Session) {
    const next = { id, fullName, role }; // no other user data is stored
    isShared = writeJson(sessionKey, next) || read()?.id === next.id;
    change(next);
  },
  /** @param isLogout the user logged out, and isn't expected to return to the same page */
  clear(isLogout = false) {
    if (isLogout) writeText(sessionKey, loggedOut); // lets other tabs recognize a logout
    removeText(sessionKey);
    wasLogout = isLogout;
    change(null);
  },
  /**
   * @returns whether the user logged out, here or in another tab as far as this one knows; false after an expired
   * session
   */
  hasLoggedOut: () => wasLogout,
  subscribe: changed.subscribe,
};

/** Calls `listener` when another user signed in, or none is signed in now. @returns a function that unsubscribes */
export const whenUserChanges = userChanged.subscribe;

/** @returns null on the server and during hydration, so that both render the same */
export const useSession = (): Session | null => useStore(session, null);

/**
 * Reads the shared session again; a page in the back/forward cache may have missed a logout.
 * @param newValue the value another tab wrote
 */
export const rereadSession = (newValue?: string | null): void => change(session.stored(), newValue === loggedOut);

function change(next: Session | null, isLogout = false): void {
  const before = current;
  current = next;
  wasLogout = !next && (wasLogout || isLogout);
  changed.notify();
  if (before?.id !== next?.id) userChanged.notify();
}

/** @returns null also when the stored value is malformed, or its login ended with the browser */
function read(): Session | null {
  const stored = hasEndedWithBrowser() ? undefined : readJson(sessionKey);
  const { id, fullName, role } = (stored ?? {}) as Partial<Session>;
  return typeof id === 'string' && typeof fullName === 'string' && typeof role === 'string'
    ? { id, fullName, role }
    : null;
}

listen(globalThis.window, 'storage', (event: StorageEvent) => isSessionEvent(event) && rereadSession(event.newValue));
