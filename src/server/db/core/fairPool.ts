/**
 * A pool of connections that callers take in turns (turns.ts). Who calls is known by the context of the call, so that no
 * query has to name it. What it needs of pg's pool (every checkout passes `connect`, `release` is the client's own) is
 * tried in tests/server/db/fairPool.test.ts.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { callbackify } from 'node:util';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { connectWithinMs } from '../../core/databaseAddress';
import { markLostConnection } from './errors';
import { Turns, type Caller, type Underway } from './turns';

const calls = new AsyncLocalStorage<Underway>();

/** Runs `work` as a call of `caller`; within another call, such as what a page is drawn from, it stays part of that. */
export const runAs = <T>(caller: Caller, work: () => T): T =>
  calls.getStore() ? work() : calls.run({ caller, held: 0, had: 0 }, work);

/**
 * Runs a call in the turns of `key`, once it is known for whom it is, one connection at a time: what would wait for one row
 * anyway waits here. Once it has had its turn it goes on before others begin.
 */
export function continueAs<T>(key: string, work: () => T): T {
  const caller = calls.getStore()?.caller;
  return caller ? calls.run({ caller: { ...caller, key, most: 1, goesOn: true }, held: 0, had: 0 }, work) : work();
}

/** Runs `work` as the shop's own, also within a call: what it starts goes on when the call is long over. */
export const outsideRequests = <T>(work: () => T): T => calls.exit(work);

/** Whether the call that this is part of was told to come back. */
export const wasRefused = (): boolean => calls.getStore()?.wasRefused === true;

/** Whether this is part of a call. */
export const isInRequest = (): boolean => calls.getStore() !== undefined;

type Release = PoolClient['release'];
type Checkout = (error: Error | undefined, client: PoolClient | undefined, done: Release) => void;

const connectionLimits = ({ max = 10 }: PoolConfig): number => max;
/** Of ten connections. */
const shareOfVisitors = 0.6;
/** Ten turns of ten connections: a quarter of a second of cart changes, most of a second of orders. */
const maxWaiting = 100;

export class FairPool extends Pool {
  readonly turns: Turns;

  constructor(config: PoolConfig) {
    super(config);
    const atOnce = connectionLimits(config);
    this.turns = new Turns({
      atOnce,
      forVisitors: Math.ceil(atOnce * shareOfVisitors),
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
