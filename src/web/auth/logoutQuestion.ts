import { createStore, useStore } from '../browser/store';
import { session, whenUserChanges } from '../server/session';

/** Who is asked what to do with unsent changes: by whichever button, on whichever page, until their session ends. */
const askedId = createStore<string | undefined>(undefined);
const close = () => askedId.set(undefined);

export const logoutQuestion = {
  /** @param userId who wants to log out; somebody whose session ended meanwhile is asked nothing */
  ask: (userId: string) => session.get()?.id === userId && askedId.set(userId),
  close,
};

export const useLogoutQuestion = (): boolean => useStore(askedId, undefined) !== undefined;

whenUserChanges(close);
