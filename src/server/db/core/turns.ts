/**
 * Schedules database connections fairly. First come, first served would give them all to the busiest caller. So networks
 * take turns, callers take turns within a network, and a caller's calls run in order.
 * Rule: docs/rules/running.md, Overload
 */
import { TooManyWaiting } from './errors';

export type Caller = {
  /** A user, or the visitors of a network that call the same operation. Calls with `keeps` have a separate key. */
  key: string;
  /** An IPv4 address or an IPv6 /64. */
  network: string;
  /** The number of connections it may use concurrently. */
  most: number;
  rank: 'visitor' | 'user';
  /** How many of its calls may wait without being rejected: none, except for those that finish an order. */
  keeps?: number;
  /** Whether a call that has had a turn takes precedence over new calls. */
  goesOn?: true;
};
/** A call in flight. Background work has none. */
export type CallState = {
  caller: Caller;
  /** The number of connections it holds. A call that holds one never queues for a second. */
  held: number;
  /** The number of connections it has had so far. */
  had: number;
  /** It was rejected because too many calls were waiting. */
  wasRefused?: true;
};

type Waiting = { call: CallState | undefined; begin: () => void; refuse: (error: Error) => void };
type Queue = Waiting[];
type Limits = {
  /** Connections in total. */
  concurrency: number;
  /** Connections that visitors may use, so that some are left for users. */
  forVisitors: number;
  /** How many calls that may be rejected can wait. */
  maxWaiting: number;
  withinMs: number;
};

/** After this many turns, a call goes back into its caller's queue. */
const maxContinuedTurns = 12;

export class Turns {
  readonly #limits: Limits;
  #taken = 0;
  #takenByVisitors = 0;
  #waiting = 0;
  /** The number of waiting calls that may be rejected. */
  #refusable = 0;
  readonly #takenBy = new Map<string, number>();
  /** Background work, and a call's second connection, go first. */
  readonly #own: Queue = [];
  /** Calls that continue. A login needs nine turns: it would hardly finish if it queued at the end each time. */
  readonly #begun: Queue = [];
  /** Queues by network and caller, in turn order. */
  readonly #networks = new Map<string, Map<string, Queue>>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * @returns undefined if the call may start now, or a promise of its turn
   * @throws TooManyWaiting, or an Error when the turn did not come in time
   */
  take(call: CallState | undefined): Promise<void> | undefined {
    if (!this.#mayBegin(call)) return this.#wait(call);
    this.#count(call, 1);
    return undefined;
  }

  leave(call: CallState | undefined): void {
    this.#count(call, -1);
    for (let next = this.#findNext(); next; next = this.#findNext()) next.begin();
  }

  #mayBegin(call: CallState | undefined): boolean {
    if (this.#taken >= this.#limits.concurrency) return false;
    if (!call || call.held > 0) return true;
    const { key, most, rank } = call.caller;
    const isFull = rank === 'visitor' && this.#takenByVisitors >= this.#limits.forVisitors;
    return !isFull && (this.#takenBy.get(key) ?? 0) < most;
  }

  #count(call: CallState | undefined, step: 1 | -1): void {
    this.#taken += step;
    if (!call) return;
    call.held += step;
    if (step === 1) call.had += 1;
    const { key, rank } = call.caller;
    const now = (this.#takenBy.get(key) ?? 0) + step;
    if (now > 0) this.#takenBy.set(key, now);
    else this.#takenBy.delete(key);
    if (rank === 'visitor') this.#takenByVisitors += step;
  }

  #wait(call: CallState | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#queueOf(call);
      const leaveQueue = () => {
        clearTimeout(timer);
        this.#remove(entry, queue);
      };
      const entry: Waiting = {
        call,
        begin: () => {
          leaveQueue();
          this.#count(call, 1);
          resolve();
        },
        refuse: (error) => {
          leaveQueue();
          if (call && error instanceof TooManyWaiting) call.wasRefused = true;
          reject(error);
        },
      };
      const timer = setTimeout(
        () => entry.refuse(new Error('timeout exceeded when trying to connect')),
        this.#limits.withinMs,
      );
      this.#add(entry, queue);
      if (this.#refusable > this.#limits.maxWaiting) findMostWaiting(this.#networks)?.refuse(new TooManyWaiting());
    });
  }

  #queueOf(call: CallState | undefined): Queue {
    if (!call || call.held > 0) return this.#own;
    if (call.caller.goesOn && call.had > 0 && call.had < maxContinuedTurns) return this.#begun;
    const { network, key } = call.caller;
    const queues = this.#networks.get(network) ?? new Map<string, Queue>();
    this.#networks.set(network, queues);
    const queue = queues.get(key) ?? [];
    queues.set(key, queue);
    return queue;
  }

  #add(entry: Waiting, queue: Queue): void {
    queue.push(entry);
    this.#waiting += 1;
    if (this.#isOfCallers(queue) && queue.length > guaranteedOf(entry)) this.#refusable += 1;
  }

  #remove(entry: Waiting, queue: Queue): void {
    if (this.#isOfCallers(queue) && queue.length > guaranteedOf(entry)) this.#refusable -= 1;
    queue.splice(queue.indexOf(entry), 1);
    this.#waiting -= 1;
    const caller = entry.call?.caller;
    if (queue.length > 0 || !this.#isOfCallers(queue) || !caller) return;
    const queues = this.#networks.get(caller.network);
    queues?.delete(caller.key);
    if (queues?.size === 0) this.#networks.delete(caller.network);
  }

  #isOfCallers(queue: Queue): boolean {
    return queue !== this.#own && queue !== this.#begun;
  }

  #findNext(): Waiting | undefined {
    const [first] = this.#own;
    if (first && this.#mayBegin(first.call)) return first;
    const begun = this.#begun.find(({ call }) => this.#mayBegin(call));
    if (begun) return begun;
    for (const [network, queues] of this.#networks) {
      for (const [key, queue] of queues) {
        const [next] = queue;
        if (!next || !this.#mayBegin(next.call)) continue;
        moveToEnd(queues, key, queue);
        moveToEnd(this.#networks, network, queues);
        return next;
      }
    }
    return undefined;
  }
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

const guaranteedOf = (entry: Waiting | undefined): number => entry?.call?.caller.keeps ?? 0;
const isOfVisitors = ([first]: Queue): boolean => first?.call?.caller.rank === 'visitor';
const countRefusable = (queue: Queue): number => Math.max(0, queue.length - guaranteedOf(queue[0]));
const sum = (queues: readonly Queue[]): number => queues.reduce((all, queue) => all + countRefusable(queue), 0);

/**
 * Picks the call to reject: in the network with the most waiting calls, however many accounts it has, the visitors or the
 * users, whichever has more waiting (visitors if equal), since a flood of one must not cost the other; then the newest call
 * of their longest queue.
 */
function findMostWaiting(networks: ReadonlyMap<string, ReadonlyMap<string, Queue>>): Waiting | undefined {
  const crowds = [...networks.values()].map((queues) => {
    const all = [...queues.values()];
    const [visitors, users] = [all.filter(isOfVisitors), all.filter((queue) => !isOfVisitors(queue))];
    const [ofVisitors, ofUsers] = [sum(visitors), sum(users)];
    const first = ofVisitors >= ofUsers ? visitors : users;
    return { waiting: ofVisitors + ofUsers, hasVisitors: ofVisitors > 0 ? 1 : 0, first };
  });
  const crowd = findMost(crowds, ({ waiting, hasVisitors }) => waiting + hasVisitors / 2);
  return findMost(crowd?.first ?? [], countRefusable)?.at(-1);
}

/** The last one of equal values. */
function findMost<Value>(values: readonly Value[], countOf: (value: Value) => number): Value | undefined {
  let found: Value | undefined;
  let most = 0;
  for (const value of values) {
    const count = countOf(value);
    if (count >= most) [found, most] = [value, count];
  }
  return found;
}
