/** What a person is told of the connection. Rule: docs/rules/offline.md, What a person is told */
export const connectionMessages = {
  banner: 'You are offline. Showing what is saved on this device.',
  /** The device has a connection, and the shop does not answer. */
  unreachable: "We can't reach the shop right now. Showing what is saved on this device.",
  asOf: (time: string) => `Products as of ${time}.`,
  /** Where a price or the stock is shown without a connection. */
  asOfTime: (time: string) => `As of ${time}`,
  count: (changes: number) => `${changes} queued`,
  /** Of Safari, in a page of the browser. */
  mayBeDeleted: 'This browser may delete what is queued after 7 days without a visit.',
  backOnline: 'You are back online.',
  kept: 'Your cart and address are kept on this device.',
  lastUpdated: (time: string) => `Last updated ${time}`,
} as const;
