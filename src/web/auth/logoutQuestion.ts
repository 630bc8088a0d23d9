import { createStore, useStore } from '../browser/store';
import { session, whenUserChanges } from '../server/session';

/** The user being asked about unsent changes: by any logout button, on any page, until the session ends. */
const askedUserId = createStore<string | undefined>(undefined);
const close = () => askedUserId.set(undefined);

export const logoutQuestion = {
  /** @param userId the user who wants to log out; ignored if that session has ended meanwhile */
  ask: (userId: string) => session.get()?.id === userId && askedUserId.set(userId),
  close,
};

export const useLogoutQuestion = (): boolean => useStore(askedUserId, undefined) !== undefined;

whenUserChanges(close);
