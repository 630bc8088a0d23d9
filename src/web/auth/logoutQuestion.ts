import { useSyncExternalStore } from 'react';

/** Whether the user is asked what to do with unsent changes: by whichever button, on whichever page. */
let isOpen = false;
const listeners = new Set<() => void>();

export const logoutQuestion = {
  ask: () => set(true),
  close: () => set(false),
};

export function useLogoutQuestion(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => isOpen,
    () => false,
  );
}

function set(next: boolean): void {
  isOpen = next;
  for (const notify of listeners) notify();
}
