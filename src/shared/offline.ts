/**
 * Messages about being offline that the first page may need; the others are in outbox.ts and connection.ts.
 * Rule: docs/rules/offline.md, States of a change
 */
export const offlineMessages = {
  queued: 'queued: will sync when online',
  /** The shop was reached, but could not process the change yet. */
  retried: 'Queued: the shop will try again by itself',
  /** The browser provides no storage. */
  heldOpen: 'This browser could not keep the change. Leave this page open until it is sent.',
  notHere: 'This is not saved on this device. It needs a connection.',
  needsConnection: (what: string) => `${what} needs a connection`,
} as const;
