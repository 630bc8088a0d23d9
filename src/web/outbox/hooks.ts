import { useSyncExternalStore } from 'react';
import type { Entry } from './entry';
import { outbox } from './outbox';

const use = (read: () => readonly Entry[]) => useSyncExternalStore(outbox.subscribe, read, () => none);
const none: readonly Entry[] = [];

/** @returns the user's changes that wait to be sent, oldest first: their number is the banner's and the app badge's */
export const useWaiting = (userId: string): readonly Entry[] => use(() => outbox.waiting(userId));

/** @returns the user's changes that the server refused */
export const useRefused = (userId: string): readonly Entry[] => use(() => outbox.refused(userId));

/** @returns how many changes of somebody else's wait on this device until that user signs in */
export const useSealedCount = (userId: string): number => use(() => outbox.sealed(userId)).length;
