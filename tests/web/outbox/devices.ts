/**
 * Devices that change their user's data, a cart or lists (subjects.ts), through the real outbox, with their own
 * IndexedDB and a network that loses, duplicates and delays, to the real server. A tab may die before and after any of
 * its steps: from then on its pending promises never settle, its lock is free, and another tab finds what it left.
 */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { QueryClient } from '@tanstack/react-query';
import { operations } from '../../../src/web/app/operations';
import { ShopDatabase } from '../../../src/web/device/db';
import { Sender } from '../../../src/web/outbox/sender';
import type { Entry, OutboxMessage } from '../../../src/web/outbox/entry';
import type { Operations } from '../../../src/web/outbox/operation';
import { joinBy, saveInDatabase, type OutboxStorage } from '../../../src/web/outbox/storage';
import type { Change } from './change';
import { chance, createSignal, pause, send, type World } from './network';

const definitions: Operations = operations;
const never = <T>(): Promise<T> => new Promise(() => undefined);

export type Device = ReturnType<typeof createDevice>;

export function createDevice(world: World) {
  const { person, other } = world;
  const indexedDB = new IDBFactory();
  const databases: ShopDatabase[] = [];
  let tabs: ReturnType<typeof openTab>[] = [];
  let lockIsFree = Promise.resolve();
  const state = {
    isOnline: true,
    isCalm: false,
    isOver: false,
    owner: person.userId as string | undefined,
    token: person.token,
    answered: createSignal(),
    /** In the order in which they were stored. */
    kept: [] as Change[],
  };

  function openTab() {
    const db = new ShopDatabase({ indexedDB, IDBKeyRange });
    databases.push(db);
    let stepsToLive = !state.isCalm && chance(world, 0.5) ? Math.ceil(world.random() * 40) : Infinity;
    let die = (): void => undefined;
    const death = new Promise<void>((resolve) => (die = resolve));
    let isDead = false;
    const cache = new QueryClient();
    const queryKey = world.subject.queryKey(person.userId);
    let shown: readonly Entry[] = [];

    /** One step of the tab, which may die on either side. */
    async function step<T>(work: () => Promise<T>): Promise<T> {
      if (endsHere()) return never();
      const result = await work();
      return endsHere() ? never() : result;
    }
    function endsHere(): boolean {
      stepsToLive -= 1;
      const mayLive = (stepsToLive > 0 || state.isCalm) && !state.isOver;
      if (mayLive && !isDead) return false;
      isDead = true;
      die();
      return true;
    }

    const device = saveInDatabase(
      async () => db,
      () => true,
      joinBy(operations),
    );
    const storage: OutboxStorage = {
      ...device,
      add: (entry) =>
        step(async () => {
          const added = await device.add(entry);
          state.kept.push(entry as Change);
          return added;
        }),
      list: () => step(() => device.list()),
      markSent: (...keys) => step(() => device.markSent(...keys)),
      change: (key, change) => step(() => device.change(key, change)),
      remove: (keys) => step(() => device.remove(keys)),
    };

    const core = new Sender({
      operations,
      storage: world.breakage.storage?.(storage) ?? storage,
      send(entries) {
        const sent = entries.map((entry) => world.breakage.entry?.(entry) ?? entry);
        const answered = step(() => send(world, state, sent, () => isDead));
        return entries.map(async (_, place) => {
          const result = (await answered)[place];
          if (!result) throw new TypeError('It was not tried');
          if ('error' in result) throw result.error;
          return result.data;
        });
      },
      lock: (work) =>
        world.breakage.hasNoLock
          ? work()
          : inTurn(
              () => Promise.race([step(work), death]),
              () => isDead,
            ),
      owner: () => state.owner,
      cache({ answered: { operation, input }, data, isOld }) {
        definitions[operation]?.saveAnswer?.(cache, input, { data, isOld });
        if (isOld || !data) void read().catch(() => undefined);
      },
      notifyOthers(message: OutboxMessage) {
        for (const each of tabs) if (each !== tab) setImmediate(() => each.hear(message));
      },
      isOnline: () => state.isOnline,
      probe: async () => state.isOnline,
      confirm: async () => state.isOnline,
      later: (work) => void setTimeout(() => isDead || work(), 1 + world.random() * 4),
      pause: (work) => void setTimeout(() => isDead || work(), world.random() * 4),
      show: (entries) => (shown = entries),
      offerReload: () => undefined,
    });

    async function read(): Promise<void> {
      cache.setQueryData(queryKey, await world.subject.read(world));
    }

    const tab = {
      isDead: () => isDead,
      hear: (message: OutboxMessage) => (isDead ? undefined : core.hear(message)),
      flush: () => Promise.race([core.flush(), death]),
      make({ operation, input }: Change): Promise<unknown> {
        const key = globalThis.crypto.randomUUID();
        const made = { key, userId: person.userId, state: 'waiting' as const, wasSent: false, madeAt: 0 };
        // notified as soon as it is stored or answered; errors are checked at the end
        return Promise.race([core.send({ operation, input, ...made }).catch(() => undefined), death, pause(8)]);
      },
      read,
      discardRefused: () =>
        Promise.all(shown.filter((each) => each.state === 'refused').map(({ key }) => core.discard(key))),
      list: () => device.list(), // from the device's storage, whatever happens to the tab
      /** What the page shows: the server's data with the waiting changes. */
      page: () => {
        const waiting = shown.filter(({ state }) => state === 'waiting');
        return world.subject.shown(cache.getQueryData(queryKey), waiting);
      },
    };
    return tab;
  }

  /** The device's Web Lock: a dying tab releases it. */
  function inTurn(work: () => Promise<void>, isDead: () => boolean): Promise<void> {
    const done = lockIsFree.then(() => (isDead() ? undefined : work()));
    lockIsFree = done.catch(() => undefined);
    return done;
  }

  /** A live tab of this device, of two. */
  function tabAt(place: number) {
    let tab = tabs[place];
    if (!tab || tab.isDead()) {
      const dead = tab;
      tabs = tabs.filter((each) => each !== dead);
      tab = openTab();
      tabs.splice(place, 0, tab);
    }
    return tab;
  }

  return {
    state,
    kept: () => state.kept,
    make: (place: number, change: Change) => tabAt(place).make(change),
    /** Brings every tab to the front, or back online. */
    wake: () => [0, 1].map((place) => tabAt(place).flush()),
    /** Another user uses the device for a moment. */
    async lend() {
      state.owner = other.userId;
      state.token = other.token;
      for (const place of [0, 1]) void tabAt(place).flush();
      await pause(2);
      state.owner = person.userId;
      state.token = person.token;
    },
    /** Everything is sent, and after some rounds all faults end. @returns the rejected changes */
    async settle(): Promise<Entry[]> {
      Object.assign(state, { isOnline: true, owner: person.userId });
      for (let round = 1; ; round += 1) {
        state.isCalm = round > faultyRounds;
        await Promise.all([0, 1].map((place) => tabAt(place).flush()));
        const list = await tabAt(0).list();
        if (list.every((entry) => entry.state === 'refused')) {
          state.isCalm = true;
          return list;
        }
        if (round > mostRounds) throw new Error(`never sent: ${JSON.stringify(list)}`);
        await pause(2);
      }
    },
    /** What its tabs show after the server announced a change. */
    async pages() {
      await Promise.all([0, 1].map((place) => tabAt(place).read()));
      return [0, 1].map((place) => tabAt(place).page());
    },
    close() {
      state.isOver = true;
      for (const db of databases) db.close();
    },
  };
}

/** However slow the machine is, some of the sending happens with faults. */
const faultyRounds = 6;
const mostRounds = 200;
