/** Messages about the connection. Rule: docs/rules/offline.md, Status messages */
export const connectionMessages = {
  banner: "You're offline. Showing what's saved on this device.",
  /** The device is online, but the shop does not respond. */
  unreachable: "We can't reach the shop right now. Showing what's saved on this device.",
  asOf: (time: string) => `Products as of ${time}.`,
  /** Shown next to a price or stock while offline. */
  asOfTime: (time: string) => `As of ${time}`,
  count: (changes: number) => `${changes} waiting to sync`,
  /** For Safari in a browser tab. */
  mayBeDeleted: 'This browser may delete unsynced changes after 7 days without a visit.',
  backOnline: "You're back online.",
  kept: 'Your cart and address are saved on this device.',
  lastUpdated: (time: string) => `Last updated ${time}`,
} as const;
