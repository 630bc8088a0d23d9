/** What GET /public/events sends beside each event's name, as JSON. The contract has the same in words (live.yaml). */
export interface LiveData {
  /** First of all. Another build than the page's own means that a new version is there; no userId: a visitor. */
  hello: { build: string; userId: string | null };
  /** How far the change feed has come. */
  catalog: { position: number };
  /** The signed-in user's own cart or orders changed: read them again. */
  cart: Record<string, never>;
  orders: Record<string, never>;
  /** For staff: somebody's order changed; isPaid: one was paid just now. */
  'admin-orders': { isPaid: boolean };
}

/** What of a user's own changed. */
export type OwnChange = 'cart' | 'orders';
