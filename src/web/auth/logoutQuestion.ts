import { createStore, useStore } from '../browser/store';
import { session, whenUserChanges } from '../server/session';

/** The user being asked about unsent changes: by any logout button, on any page, until the session ends. */
const askedId = createStore<string | undefined>(undefined);
const close = () => askedId.set(undefined);

export const logoutQuestion = {
  /** @param userId the user who wants to log out; ignored if that session has ended meanwhile */
  ask: (userId: string) => session.get()?.id === userId && askedId.set(userId),
  close,
};

export const useLogoutQuestion = (): boolean => useStore(askedId, undefined) !== undefined;

whenUserChanges(close);
