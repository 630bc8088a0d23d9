/** The values of all rate limits. Their reasons and tests: docs/security.md, Rate limits */

/** Points per period, for each user and for the visitors of each network. Empty: not counted. */
export type RateLimit = { perUser?: number; perNetwork?: number; seconds?: number };

export const rateLimits = {
  /** Reads are limited only by the number of calls in flight. */
  read: {},
  change: { perUser: 6_000, perNetwork: 1_200, seconds: 60 },
  /** Changes of the user's own account. Each adds a permanent row to the audit log. */
  account: { perUser: 3_000, seconds: 3_600 },
  /** Avatar uploads. Each is decoded during the call, which takes up to a second. */
  picture: { perUser: 60, seconds: 3_600 },
  /** Placing or replacing an order: several statements per line, and calls to the payment provider. */
  order: { perUser: 300, seconds: 60 },
  /** Lists, products and the feed, counted only on a cache miss. */
  list: { perUser: 3_000, perNetwork: 3_000, seconds: 10 },
  search: { perUser: 3_000, perNetwork: 3_000, seconds: 10 },
  /** Rendering pages and handling their forms: together a quarter of the process. */
  page: { perNetwork: 200, seconds: 10 },
  export: { perUser: 300, seconds: 300 },
  /** Calls to the payment provider. */
  provider: { perUser: 60, seconds: 60 },
  /** Bytes of the responses saved under an Idempotency-Key. */
  kept: { perUser: 8 * 1024 * 1024, seconds: 15 * 60 },
  /** Login and refresh: auth counts these per account, device and network, and has a fair queue for them. */
  session: {},
  /** Finishing an order and logging out: hardly ever rejected under load. */
  ending: { perUser: 600, perNetwork: 600, seconds: 60 },
  /** Calls signed by the payment provider: not counted at all. */
  signed: {},
} satisfies Record<string, RateLimit>;
export type RateLimitName = keyof typeof rateLimits;

/**
 * Calls in flight per user, and per operation for the visitors of a network. A browser opens six connections, or shares
 * one with HTTP/2.
 */
export const inFlight = { ofUser: 30, ofNetwork: 200 };

/**
 * Concurrent uploads of a process. A file is held in memory for as long as its sender takes. Accounts are free, so all
 * customers together never get the last slot: it is reserved for staff.
 */
export const concurrentUploads = { ofProcess: 4, ofCustomers: 3, ofCustomer: 2 };

/** Concurrent database connections (db/core/turns.ts). A customer's changes queue here, not at a lock in the database. */
export const connectionLimits = { user: 4, changesOfCustomer: 1, visitors: 4, endings: 2 };

/** How many calls of a caller that finish an order or end a session may queue without being rejected under load. */
export const queuedEndings = 4;

/** Errors sent to one network: a burst, then a rate per second. An error that would wait longer closes its connection. */
export const errorPace = { burst: 300, perSecond: 50, waitsAtMostMs: 20_000 };

/** The same for 400 and 401, counted separately so that neither kind delays the other. */
export const clientErrorPace = { burst: 600, perSecond: 200, waitsAtMostMs: 20_000 };
