/** What GET /public/events sends beside each event's name, as JSON. The contract has the same in words (live.yaml). */
export interface LiveData {
  /** The first event. A build other than the page's own means a new version; userId is null for a visitor. */
  hello: { build: string; userId: string | null };
  /** The newest position of the change feed. */
  catalog: { position: number };
  /** The signed-in user's cart or orders changed: read them again. */
  cart: Record<string, never>;
  orders: Record<string, never>;
  /** For staff: somebody's order changed; isPaid: one was paid just now. */
  'admin-orders': { isPaid: boolean };
}

/** Which of a user's own data changed. */
export type OwnChange = 'cart' | 'orders';
