/** Which of a user's own data changed. Each is an event, and the name under which that user's reads are kept. */
export const ownChanges = ['cart', 'orders', 'lists'] as const;
export type OwnChange = (typeof ownChanges)[number];

/**
 * What GET /public/events sends beside each event's name, as JSON. The contract has the same in words (live.yaml). An own
 * change has nothing beside its name: read it again.
 */
export interface LiveData extends Record<OwnChange, Record<string, never>> {
  /** The first event. A build other than the page's own means a new version; userId is null for a visitor. */
  hello: { build: string; userId: string | null };
  /** The newest position of the change feed. */
  catalog: { position: number };
  /** For staff: somebody's order changed; isPaid: one was paid just now. */
  'admin-orders': { isPaid: boolean; paidOrderIds: string[] };
}
