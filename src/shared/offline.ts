/** The sentences of a shop without a connection. Rule: docs/rules/offline.md, States of a change */
export const offlineSays = {
  queued: 'queued: will sync when online',
  /** The shop was reached, but could not do it now. */
  retried: 'Queued: the shop will try again by itself',
  /** The browser keeps nothing for us. */
  heldOpen: 'This browser could not keep the change. Leave this page open until it is sent.',
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
  banner: 'You are offline. Showing what is saved on this device.',
  asOf: (time: string) => `Products as of ${time}.`,
  count: (changes: number) => `${changes} queued`,
  backOnline: 'You are back online.',
  syncing: 'syncing',
  synced: 'synced',
  retry: 'Retry',
  discard: 'Discard',
  kept: 'Your cart and address are kept on this device.',
  notHere: 'This is not saved on this device. It needs a connection.',
  needsConnection: (what: string) => `${what} needs a connection`,
  lastUpdated: (time: string) => `Last updated ${time}`,
} as const;
