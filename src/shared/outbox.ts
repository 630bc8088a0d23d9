/** Messages about unsent changes. Rule: docs/rules/offline.md, States of a change */

export const outboxMessages = {
  keepsNothing: "This browser isn't saving data for the shop. Stay online to keep your changes.",
  sealed: 'You were logged out. Your change is saved on this device and will be sent when you log in again.',
  sealedCount: (changes: number) =>
    changes === 1
      ? '1 unsent change is saved on this device until its account logs in again.'
      : `${changes} unsent changes are saved on this device until their account logs in again.`,
  reload: 'The shop was updated in another tab. Reload this page.',
  reloadNow: 'Reload',
  closeOthers: "Close the shop's other tabs to finish updating.",
  couldNotSend: "Some changes couldn't be sent",
  syncing: 'Syncing',
  synced: 'Synced',
  retry: 'Retry',
  discard: 'Discard',
} as const;

/** Why a change waits. */
export const queuedMessages = {
  offline: "Saved. We'll sync it when you're back online.",
  /** The shop was reached, but could not process the change yet. */
  busy: "Saved. The shop is busy, so we'll try again automatically.",
  /** The browser provides no storage. */
  unkept: "This browser couldn't save your change. Keep this page open until it's sent.",
} as const;

export const batchMessages = { success: 'Changes processed' } as const;
