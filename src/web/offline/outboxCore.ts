import { ApiError, isRefusal } from '../api/apiError';
import { dutyByCode } from '../api/duties';
import { type Entry, type NewEntry, visitor } from './outboxEntry';
import type { OutboxStorage } from './outboxStorage';
import type { Sent } from './outbox';

/** What the outbox needs of the world; tests hand in another one, with faults. */
export interface OutboxParts {
  storage: OutboxStorage;
  /** Sends one entry. @throws ApiError when the server refused, anything else when it did not answer */
  send: (entry: Entry) => Promise<unknown>;
  /** Lets one tab at a time do its work. */
  lock: (work: () => Promise<void>) => Promise<void>;
  /** Who is signed in. */
  owner: () => string | undefined;
  /** Puts an answer into the cache. @param isOld whether it may tell of an earlier moment */
  keepAnswer: (entry: Entry, data: unknown, isOld: boolean) => void;
  tellOthers: (message: OutboxMessage) => void;
  isOnline: () => boolean;
  probe: () => Promise<boolean>;
  /** As `probe`, which an answer of some moment ago saves. */
  confirm: () => Promise<boolean>;
  /** Calls `work` some time later. */
  later: (work: () => void, ms: number) => void;
  show: (entries: readonly Entry[]) => unknown;
}

/** What tabs tell each other. */
export type OutboxMessage = 'changed' | { answered: Entry; data: unknown; isOld: boolean };

interface Waiter {
  resolve: (sent: Sent) => void;
  reject: (error: unknown) => void;
}

/** The outbox of one tab. What it promises, and how, stands in outbox.ts. */
export function createOutbox(parts: OutboxParts) {
  const { storage } = parts;
  let kept: readonly Entry[] = [];
  let fresh: readonly NewEntry[] = []; // being written
  const answered = new Set<string>(); // in the cache already, though perhaps not deleted yet
  const waiters = new Map<string, Waiter[]>();
  let [reads, lastRead] = [0, 0];
  let failures = 0;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let inFlight = Promise.resolve();

  async function send(entry: NewEntry): Promise<Sent> {
    fresh = [...fresh, entry];
    const outcome = new Promise<Sent>((resolve, reject) => wait(entry.key, { resolve, reject }));
    outcome.catch(() => undefined); // the caller hears of it
    try {
      const { key } = await storage.add(entry);
      if (key !== entry.key) wait(key, ...takeWaiters(entry.key)); // it became part of the one before it
    } catch (error) {
      settle(entry.key, ({ reject }) => reject(error));
    }
    fresh = fresh.filter((each) => each !== entry);
    await reload();
    parts.tellOthers('changed');
    if (!parts.isOnline()) tellThatTheyWait('offline');
    void flush();
    return outcome;
  }

  /** Sends what waits. Asked again meanwhile, it looks once more: there may be one that it did not see. */
  function flush(): Promise<void> {
    isAskedAgain = true;
    running ??= runUntilDone().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function runUntilDone(): Promise<void> {
    while (isAskedAgain) {
      isAskedAgain = false;
      // the device may fail at any step: another tab may hold its database now, and send
      await parts.lock(run).catch(() => tryLater('busy'));
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      await reload();
      await deleteAnswered();
      const next = kept.find(isSendable);
      if (!next) return;
      if (!(await parts.confirm())) return void tryLater('offline');
      if (!(await deliver(next))) return;
    }
  }

  /**
   * An answered one is deleted before the next is sent, here or in the tab that takes over from one that died. Left there,
   * it would be sent again some day, after others: a removal that was refused then, for its line was gone, could by then
   * find a line that was put back.
   */
  async function deleteAnswered(): Promise<void> {
    const keys = kept.map(({ key }) => key).filter((key) => answered.has(key));
    if (keys.length > 0) await storage.remove(keys);
  }

  /** Nobody sends what another user left; a visitor's message is nobody's, and sent as such. */
  function isSendable({ key, userId, state }: Entry): boolean {
    return state === 'waiting' && !answered.has(key) && (userId === visitor || userId === parts.owner());
  }

  /** @returns whether the next one may be sent */
  async function deliver(next: Entry): Promise<boolean> {
    const entry = await storage.markSent(next.key);
    if (!entry) return true; // given up meanwhile
    let land = (): void => undefined;
    inFlight = new Promise((resolve) => {
      land = resolve;
    });
    try {
      const data = await parts.send(entry);
      finish(entry, data, next.wasSent);
      return true;
    } catch (error) {
      return await handleFailure(entry, error);
    } finally {
      land();
    }
  }

  /** First into the cache, then away: a tab that dies in between sends it once more and is answered the same. */
  function finish(entry: Entry, data: unknown, isOld: boolean): void {
    failures = 0;
    keepAnswer({ answered: entry, data, isOld });
    parts.tellOthers({ answered: entry, data, isOld });
  }

  function keepAnswer({ answered: entry, data, isOld }: Exclude<OutboxMessage, 'changed'>): void {
    parts.keepAnswer(entry, data, isOld);
    answered.add(entry.key);
    show();
    settle(entry.key, ({ resolve }) => resolve({ queued: false, data } as Sent));
  }

  async function handleFailure(entry: Entry, error: unknown): Promise<boolean> {
    if (isDoneAlready(entry, error)) {
      finish(entry, undefined, true);
      return true;
    }
    if (error instanceof ApiError && error.status === 401) {
      tellThatTheyWait(error);
      return false;
    }
    const isForm = entry.operation === 'createContactMessage' && waiters.has(entry.key);
    const isFormsOwn = isForm && error instanceof ApiError && error.status >= 400;
    if (!isFormsOwn && !isFinal(error)) return tryLater((await parts.probe()) ? 'busy' : 'offline');
    // whoever reads the device meanwhile must not take an entry that is gone for one that was sent
    const told = takeWaiters(entry.key);
    try {
      if (isFormsOwn) await storage.remove([entry.key]); // the form still has the text, and says what is wrong with it
      else await storage.refuse(entry.key, { code: error.code, message: error.message });
    } finally {
      for (const { reject } of told) reject(error);
    }
    parts.tellOthers('changed');
    return true;
  }

  /** @returns false: the run ends here, and another follows */
  function tryLater(because: 'offline' | 'busy'): false {
    tellThatTheyWait(because);
    failures += 1;
    const longestMs = Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1));
    parts.later(() => void flush(), longestMs * (0.5 + Math.random() / 2));
    return false;
  }

  function tellThatTheyWait(because: 'offline' | 'busy' | ApiError): void {
    for (const key of waiters.keys()) {
      if (fresh.some((entry) => entry.key === key)) continue; // not safe yet
      settle(key, ({ resolve, reject }) => {
        if (because instanceof ApiError) reject(because);
        else resolve({ queued: true, because: storage.isLasting(key) ? because : 'unkept' });
      });
    }
  }

  /** Reads what is kept, and tells those who wait what became of theirs in another tab. */
  async function reload(): Promise<void> {
    reads += 1;
    const read = reads;
    const list = await storage.list();
    if (read < lastRead) return;
    lastRead = read;
    kept = list;
    show();
    for (const key of waiters.keys()) {
      const entry = kept.find((each) => each.key === key);
      const { reason } = entry ?? {};
      if (reason) settle(key, ({ reject }) => reject(new ApiError(409, reason)));
      else if (!entry && !fresh.some((each) => each.key === key))
        settle(key, ({ resolve }) => resolve({ queued: false }));
    }
  }

  function show(): void {
    parts.show(kept.filter(({ key }) => !answered.has(key)));
  }

  function wait(key: string, ...more: Waiter[]): void {
    waiters.set(key, [...(waiters.get(key) ?? []), ...more]);
  }

  function takeWaiters(key: string): Waiter[] {
    const taken = waiters.get(key) ?? [];
    waiters.delete(key);
    return taken;
  }

  function settle(key: string, tell: (waiter: Waiter) => void): void {
    for (const waiter of takeWaiters(key)) tell(waiter);
  }

  async function change(work: Promise<void>): Promise<void> {
    await work;
    await reload();
    parts.tellOthers('changed');
  }

  return {
    send,
    flush,
    reload,
    settled: () => inFlight,
    retry: (key: string) => change(storage.wait(key)).then(flush),
    discard: (key: string) => change(storage.remove([key])),
    forget: (userId: string) => change(storage.removeOf(userId)),
    hear: (message: OutboxMessage) => (message === 'changed' ? reload() : keepAnswer(message)),
  };
}

const firstRetryMs = 1000;
const maxRetryMs = 60_000;

/** What is refused until its user has done a duty waits for that. */
const isFinal = (error: unknown): error is ApiError => isRefusal(error) && !dutyByCode[error.code];

/** A line that another device removed first is as gone as it was meant to be. */
function isDoneAlready({ operation }: Entry, error: unknown): boolean {
  return operation === 'removeCartItem' && error instanceof ApiError && error.code === 'cart_item_not_found';
}
