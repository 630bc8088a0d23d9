/**
 * A connection pool with fair scheduling between callers (turns.ts). The caller comes from the async context, so queries
 * need not name it. tests/server/db/fairPool.test.ts checks the assumptions about pg's pool: every checkout goes through
 * `connect`, and `release` is the client's own method.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { callbackify } from 'node:util';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { connectWithinMs } from '../../core/databaseUrl';
import { markLostConnection } from './errors';
import { Turns, type Caller, type CallState } from './turns';

const calls = new AsyncLocalStorage<CallState>();

/** Runs `work` as a call of `caller`. Within another call, such as rendering a page, it remains part of that call. */
export const runAs = <T>(caller: Caller, work: () => T): T =>
  calls.getStore() ? work() : calls.run({ caller, held: 0, had: 0 }, work);

/**
 * Continues a call under `key`, once its user is known, with one connection at a time: calls that would block on the same
 * row wait here instead. After its first turn it takes precedence over new calls.
 */
export function continueAs<T>(key: string, work: () => T): T {
  const caller = calls.getStore()?.caller;
  return caller ? calls.run({ caller: { ...caller, key, most: 1, goesOn: true }, held: 0, had: 0 }, work) : work();
}

/** Runs `work` outside of the current call, for work that continues after the call has ended. */
export const outsideRequests = <T>(work: () => T): T => calls.exit(work);

/** Whether the current call was rejected because too many were waiting. */
export const wasRefused = (): boolean => calls.getStore()?.wasRefused === true;

/** Whether this code runs within a call. */
export const isInRequest = (): boolean => calls.getStore() !== undefined;

type Release = PoolClient['release'];
type Checkout = (error: Error | undefined, client: PoolClient | undefined, done: Release) => void;

const connectionLimits = ({ max = 10 }: PoolConfig): number => max;
/** Share of the connections that visitors may use. */
const shareOfVisitors = 0.6;
/** Ten per connection: a quarter of a second of cart changes, or most of a second of orders. */
const maxWaiting = 100;

export class FairPool extends Pool {
  readonly turns: Turns;

  constructor(config: PoolConfig) {
    super(config);
    const concurrency = connectionLimits(config);
    this.turns = new Turns({
      concurrency,
      forVisitors: Math.ceil(concurrency * shareOfVisitors),
      maxWaiting,
      withinMs: config.connectionTimeoutMillis ?? connectWithinMs,
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(done: Checkout): void;
  override connect(done?: Checkout): Promise<PoolClient> | void {
    if (!done) return this.#checkOut();
    callbackify(() => this.#checkOut())((error: Error | null, client?: PoolClient) =>
      done(error ?? undefined, client, (destroy) => client?.release(destroy)),
    );
  }

  async #checkOut(): Promise<PoolClient> {
    const call = calls.getStore();
    const turn = this.turns.take(call);
    if (turn) await turn;
    try {
      const client = await super.connect();
      const release = client.release.bind(client);
      client.release = (destroy) => {
        release(destroy);
        this.turns.leave(call);
      };
      return client;
    } catch (error) {
      markLostConnection(error);
      this.turns.leave(call);
      throw error;
    }
  }
}
