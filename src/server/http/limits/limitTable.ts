/** The budgets' figures. Why they are what they are, and which test shows it: docs/security.md, Budgets */

/** So many in so many seconds, for each user and for the visitors of each network; empty where nothing is counted. */
export type RateLimit = { perUser?: number; perNetwork?: number; seconds?: number };

export const rateLimits = {
  /** Reads: only what is under way counts. */
  read: {},
  change: { perUser: 6_000, perNetwork: 1_200, seconds: 60 },
  /** Changes of one's own account, each of which is written to the audit log for good. */
  account: { perUser: 3_000, seconds: 3_600 },
  /** Pictures of oneself: each is decoded while the call waits, up to a second's work. */
  picture: { perUser: 60, seconds: 3_600 },
  /** Placing an order, also in the place of another one: several statements a line, and calls to the payment provider. */
  order: { perUser: 300, seconds: 60 },
  /** Lists, products and the feed, where nothing was kept for the answer. */
  list: { perUser: 3_000, perNetwork: 3_000, seconds: 10 },
  search: { perUser: 3_000, perNetwork: 3_000, seconds: 10 },
  /** Pages that have to be drawn, and forms of pages: together a quarter of the process. */
  page: { perNetwork: 200, seconds: 10 },
  export: { perUser: 300, seconds: 300 },
  /** Questions to the payment provider. */
  provider: { perUser: 60, seconds: 60 },
  /** Bytes of answers that are kept under an Idempotency-Key, with what they answer. */
  kept: { perUser: 8 * 1024 * 1024, seconds: 15 * 60 },
  /** Logging in and going on: auth counts these by account, device and network, and has a fair queue for them. */
  session: {},
  /** What ends an order that was begun, and logging out: hardly ever told to come back when too many wait. */
  ending: { perUser: 600, perNetwork: 600, seconds: 60 },
  /** What the payment provider signed: not even counted. */
  signed: {},
} satisfies Record<string, RateLimit>;
export type RateLimitName = keyof typeof rateLimits;

/** Calls under way at once, of visitors those of one kind; a browser opens six connections, and HTTP/2 shares one. */
export const inFlight = { ofUser: 30, ofNetwork: 200 };

/**
 * Files that are on their way to a process at once: each is held whole in its memory, for as long as its sender takes.
 * Accounts are free, so the files of all customers together never take the last place: that is left to staff.
 */
export const uploadsAtOnce = { ofProcess: 4, ofCustomers: 3, ofCustomer: 2 };

/** Connections to the database at once (db/turns.ts). A customer's changes queue up here, not at a lock in the database. */
export const connectionLimits = { user: 4, changesOfCustomer: 1, visitors: 4, endings: 2 };

/** Calls of a caller that end an order, or a session, and wait without being told to come back; those beyond are as others. */
export const queuedEndings = 4;

/**
 * Refusals to one network: so many at once, then so many a second. The ones that would wait longer come at once with the
 * end of their connection.
 */
export const errorPace = { atOnce: 300, perSecond: 50, waitsAtMostMs: 20_000 };

/** The pace of answers 400 and 401. It is separate, so that neither delays the other. */
export const clientErrorPace = { atOnce: 600, perSecond: 200, waitsAtMostMs: 20_000 };
