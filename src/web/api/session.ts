import { useSyncExternalStore } from 'react';
import type { Role } from '../../shared/auth';

/**
 * Who is signed in, as far as this browser knows: id, name and role under the key `root`, and no token. The server
 * decides by its cookies alone; this is what guards and the header go by. All tabs share it, through the storage event.
 * Source: specification §3, decisions §2
 */
export interface Session {
  id: string;
  fullName: string;
  role: Role;
}

const key = 'root';

/** @returns whether another tab signed in or out, of all that tabs keep in localStorage */
export const isAboutSession = (event: StorageEvent): boolean => event.key === key || event.key === null;

const listeners = new Set<() => void>();
let current: Session | null = read();
let wasLogout = false;

export const session = {
  get: () => current,
  /** @returns who is signed in by what the tabs share: another tab's logout is there before this one hears of it */
  stored: () => read(),
  set(next: Session) {
    const { id, fullName, role } = next; // nothing else of a user is kept
    localStorage.setItem(key, JSON.stringify({ id, fullName, role }));
    change({ id, fullName, role });
  },
  /** @param isLogout its user left, and is not expected back where they were */
  clear(isLogout = false) {
    localStorage.removeItem(key);
    wasLogout = isLogout;
    change(null);
  },
  /** @returns whether nobody is signed in because the user logged out here */
  hasLoggedOut: () => wasLogout,
  /** @returns how to stop listening */
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** @returns null on the server and while its page is taken over, so that both draw the same */
export function useSession(): Session | null {
  return useSyncExternalStore(session.subscribe, session.get, () => null);
}

/** Looks again at what the tabs share; a page that was put away while another one signed out has missed it. */
export function readSessionAgain(): void {
  change(read());
}

function change(next: Session | null): void {
  current = next;
  if (next) wasLogout = false;
  for (const notify of listeners) notify();
}

function read(): Session | null {
  try {
    if (typeof localStorage === 'undefined') return null; // on the server
    return parse(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return null; // somebody else's data under our key, or a browser that keeps nothing for us
  }
}

function parse(value: unknown): Session | null {
  const { id, fullName, role } = (value ?? {}) as Partial<Session>;
  return typeof id === 'string' && typeof fullName === 'string' && typeof role === 'string'
    ? { id, fullName, role }
    : null;
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (isAboutSession(event)) readSessionAgain();
  });
}
