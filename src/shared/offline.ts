/**
 * Messages about being offline that the first page may need; the others are in outbox.ts and connection.ts.
 * Rule: docs/rules/offline.md, States of a change
 */
export const offlineMessages = {
  notHere: "This isn't saved on this device. Check your connection and try again.",
  needsConnection: (what: string) => `Go online to ${what}`,
} as const;
