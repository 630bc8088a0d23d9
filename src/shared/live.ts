/** The user's own data that can change. Each is an event name, and the name under which those queries are cached. */
export const ownChanges = ['cart', 'orders', 'lists'] as const;
export type OwnChange = (typeof ownChanges)[number];

/**
 * The JSON data of each event of GET /public/events. The contract describes them in words (live.yaml). Events about the
 * user's own data are empty: the page reads the data again.
 */
export interface LiveData extends Record<OwnChange, Record<string, never>> {
  /** The first event. A build other than the page's own means a new version; userId is null for a visitor. */
  hello: { build: string; userId: string | null };
  /** The newest position of the change feed. */
  catalog: { position: number };
  /** For staff: an order of any customer changed; isPaid: an order was just paid. */
  'admin-orders': { isPaid: boolean; paidOrderIds: string[] };
}
