/**
 * A browser whose tabs run bundled releases of the device layer, each in a realm of its own: they share the databases, the
 * storage, the locks and the channels, and nothing else. A tab can be killed: its locks are free at once, and nothing that
 * it waits for ever comes.
 */
import { createContext, runInContext, type Script } from 'node:vm';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import type { DeviceLayer } from '../../support/deviceLayer';

export const origin = 'http://localhost:3000';

type Send = (request: Request) => Promise<Response>;
type IsDead = () => boolean;
export type ReleaseTab = ReturnType<ReturnType<typeof openBrowser>['openTab']>;

/** @param hasNoLock lets every tab do its work at once, to see that the tests notice */
export function openBrowser(random: () => number, hasNoLock = false) {
  const databases = new IDBFactory();
  const stored = new Map<string, string>();
  const locks = createLocks();
  const channels = new Set<TabChannel>();

  /** @param script of a release (bundleDeviceLayer.ts) @param send the network; a tab that is dead never hears of it */
  function openTab(script: Script, send: Send) {
    let dead = false;
    const isDead = () => dead;
    const { indexedDB, closeAll } = mortalDatabases(databases, isDead);
    const request = hasNoLock ? atOnce : locks.requestAs(isDead);
    const globals = {
      ...webGlobals,
      ...eventsOf(new EventTarget()),
      indexedDB,
      localStorage: storageOf(stored),
      navigator: { locks: { request }, onLine: true },
      BroadcastChannel: class extends TabChannel {
        constructor(name: string) {
          super(name, channels, isDead);
        }
      },
      fetch: (call: Request) => unlessDead(send(call), isDead),
      // pauses between tries are a hundred times shorter, and each different
      setTimeout: (work: () => void, ms = 0) => setTimeout(() => dead || work(), (ms / 100) * (0.5 + random())),
      location: { origin, reload: () => undefined },
      document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
    };
    const context = createContext(globals);
    runInContext('globalThis.window = globalThis; globalThis.self = globalThis;', context);
    script.runInContext(context);
    const kill = () => {
      dead = true;
      locks.letGoOfTheDead();
    };
    return {
      layer: runInContext('release.deviceLayer', context) as DeviceLayer,
      isDead,
      kill,
      close() {
        kill();
        closeAll();
      },
    };
  }
  return { databases, openTab };
}

/** Of every browser, and the same in all tabs. */
const webGlobals = {
  AbortController,
  AbortSignal,
  atob,
  btoa,
  clearTimeout,
  console,
  crypto,
  DOMException,
  Event,
  EventTarget,
  FormData,
  Headers,
  IDBKeyRange,
  performance,
  queueMicrotask,
  Request,
  Response,
  structuredClone,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
};

type Work = (lock: { name: string } | null) => unknown;
type Options = { ifAvailable?: boolean };
type RequestArguments = [name: string, work: Work] | [name: string, options: Options, work: Work];

/** Web Locks: each goes to whoever asked first of those that live. */
function createLocks() {
  let held: { name: string; isDead: IsDead }[] = [];
  let asked: { name: string; isDead: IsDead; begin: () => Promise<unknown> }[] = [];

  function next(): void {
    const free = asked.find(({ name }) => !held.some((each) => each.name === name));
    if (!free) return;
    asked = asked.filter((each) => each !== free);
    held.push(free);
    void free.begin().finally(() => {
      held = held.filter((each) => each !== free);
      next();
    });
    next();
  }

  function requestAs(isDead: IsDead) {
    return (...[name, ...rest]: RequestArguments) => {
      if (isDead()) return new Promise(() => undefined);
      const work = rest.at(-1) as Work;
      const { ifAvailable = false } = rest.length > 1 ? (rest[0] as Options) : {};
      if (ifAvailable && held.some((each) => each.name === name)) return Promise.resolve(work(null));
      return new Promise((resolve, reject) => {
        const begin = () =>
          unlessDead(
            Promise.resolve().then(() => work({ name })),
            isDead,
          ).then(resolve, reject);
        asked.push({ name, isDead, begin });
        next();
      });
    };
  }

  return {
    requestAs,
    letGoOfTheDead() {
      asked = asked.filter(({ isDead }) => !isDead());
      held = held.filter(({ isDead }) => !isDead());
      next();
    },
  };
}

const atOnce = (...[name, ...rest]: RequestArguments) => Promise.resolve((rest.at(-1) as Work)({ name }));

/** Delivers to the other tabs that live, in order, a moment later. */
class TabChannel extends EventTarget {
  readonly name: string;
  readonly #all: Set<TabChannel>;
  readonly #isDead: IsDead;

  constructor(name: string, all: Set<TabChannel>, isDead: IsDead) {
    super();
    this.name = name;
    this.#all = all.add(this);
    this.#isDead = isDead;
  }

  postMessage(message: unknown): void {
    if (this.#isDead()) return;
    const data: unknown = structuredClone(message);
    for (const each of this.#all) if (each !== this && each.name === this.name) each.#hear(data);
  }

  #hear(data: unknown): void {
    setImmediate(() => this.#isDead() || this.dispatchEvent(new MessageEvent('message', { data })));
  }

  close(): void {
    this.#all.delete(this);
  }
}

/** The shared databases as one tab has them: once it is dead it begins no more work there. */
function mortalDatabases(databases: IDBFactory, isDead: IsDead) {
  const connections: IDBDatabase[] = [];
  const keep = (db: IDBDatabase) => {
    const begin = db.transaction.bind(db);
    db.transaction = (...args) => {
      if (isDead()) throw new Error('the tab is dead');
      return begin(...args);
    };
    connections.push(db);
  };
  const open = (...args: Parameters<IDBFactory['open']>) => {
    const opening = databases.open(...args);
    opening.addEventListener('success', () => keep(opening.result));
    return opening;
  };
  const indexedDB = {
    open,
    cmp: databases.cmp.bind(databases),
    databases: databases.databases.bind(databases),
    deleteDatabase: databases.deleteDatabase.bind(databases),
  };
  return { indexedDB, closeAll: () => connections.forEach((each) => each.close()) };
}

/** What a dead tab waits for never comes. */
function unlessDead<T>(promise: Promise<T>, isDead: IsDead): Promise<T> {
  return new Promise((resolve, reject) => {
    promise.then(
      (result) => isDead() || resolve(result),
      (error: unknown) => isDead() || reject(error as Error),
    );
  });
}

const storageOf = (stored: Map<string, string>) => ({
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
});

const eventsOf = (target: EventTarget) => ({
  addEventListener: target.addEventListener.bind(target),
  removeEventListener: target.removeEventListener.bind(target),
  dispatchEvent: target.dispatchEvent.bind(target),
});
