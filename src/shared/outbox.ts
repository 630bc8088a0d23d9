/** Messages about unsent changes. Rule: docs/rules/offline.md, States of a change */
export const outboxMessages = {
  keepsNothing: 'This browser keeps nothing for the shop now. Changes are sent as long as you are online.',
  sealed: 'You were signed out. The change is kept on this device and sent when you sign in again.',
  sealedCount: (changes: number) =>
    changes === 1
      ? '1 unsent change is kept on this device until its account signs in again.'
      : `${changes} unsent changes are kept on this device until their account signs in again.`,
  reload: 'The shop was updated in another tab. Reload this page.',
  reloadNow: 'Reload',
  closeOthers: 'Close the other tabs of the shop to finish its update.',
  couldNotSend: 'Not everything could be sent',
  syncing: 'syncing',
  synced: 'synced',
  retry: 'Retry',
  discard: 'Discard',
} as const;

export const batchMessages = { success: 'The changes were taken one by one' } as const;
