/** The network of devices.ts, with its faults, and the state shared by the devices of one run. */
import { isListChange } from '../../../src/shared/lists';
import { ApiError } from '../../../src/web/server/errors';
import type { Entry } from '../../../src/web/outbox/entry';
import type { OutboxStorage } from '../../../src/web/outbox/storage';
import type { Person, TestShop } from '../../support/shop';
import type { Called, Subject } from './subjects';

/** How an outbox is broken, to test that the run detects it. */
export interface Breakage {
  storage?: (storage: OutboxStorage) => OutboxStorage;
  entry?: (entry: Entry) => Entry;
  hasNoLock?: boolean;
}

export interface World {
  shop: Pick<TestShop, 'call' | 'again'>;
  person: Person;
  other: Person;
  /** What the devices change. */
  subject: Subject;
  random: () => number;
  breakage: Breakage;
  /** What is still on its way when everything else is over. */
  stragglers: Promise<unknown>[];
  /** Violations, as observed. */
  wrongs: string[];
}

export const chance = ({ random }: World, likelihood: number) => random() < likelihood;
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** What the network knows of the sending device. */
export interface Sender {
  isOnline: boolean;
  /** Ends all faults. */
  isCalm: boolean;
  owner: string | undefined;
  token: string;
  answered: ReturnType<typeof createSignal>;
}

/** Notifies waiters that another request was answered. */
export function createSignal() {
  let waiting: { key: string; resolve: () => void }[] = [];
  return {
    /** @returns when a key other than `key` is notified */
    other: (key: string) => new Promise<void>((resolve) => waiting.push({ key, resolve })),
    tell(key: string) {
      for (const each of waiting) if (each.key !== key) each.resolve();
      waiting = waiting.filter((each) => each.key === key);
    },
  };
}

/**
 * One request through a network with faults.
 * @returns the data of each entry, as far as they were done, and at the end the error of the rejected one
 */
export async function send(world: World, state: Sender, entries: readonly Entry[], isDead: () => boolean) {
  if (!state.isOnline) throw new TypeError('Failed to fetch');
  const deliver = () => call(world, state, entries);
  if (state.isCalm) return deliver();
  const mayComeLate = entries.every(world.subject.mayComeLate);
  // now and then later requests overtake one
  if (chance(world, mayComeLate ? 0.05 : 0.3))
    await Promise.race([state.answered.other(entries[0]?.key ?? ''), untilOthersWent(world)]);
  if (!mayComeLate && isDead()) return []; // its connection closed with the tab
  if (chance(world, 0.1)) throw new TypeError('Failed to fetch'); // lost on the way there
  if (mayComeLate && chance(world, 0.08)) {
    straggle(world, deliver);
    throw new TypeError('Failed to fetch'); // given up by the device, and still on its way
  }
  if (chance(world, 0.1)) await Promise.allSettled([deliver(), deliver()]); // the device receives neither, but a third
  const answer = await deliver();
  if (answer.some((each) => 'error' in each)) return answer; // a rejected request may succeed later: it must not arrive twice
  if (chance(world, 0.08)) straggle(world, deliver); // once more, after other requests
  if (chance(world, 0.12)) throw new TypeError('Failed to fetch'); // lost on the way back
  return answer;
}

/** As long as some calls take on this machine now: a time in ms would be long on one and short on another. */
async function untilOthersWent({ shop, person }: World): Promise<void> {
  for (let calls = 0; calls < 12; calls += 1)
    await shop.call('getCart', { as: person, path: { userId: person.userId } });
}

function straggle(world: World, deliver: () => Promise<unknown>): void {
  world.stragglers.push(pause(world.random() * 30).then(() => deliver().catch(() => undefined)));
}

/** The call itself, with a token of the entries' user, renewed once when it expired. */
async function call(world: World, state: Sender, entries: readonly Entry[]): Promise<Result[]> {
  const { person, shop } = world;
  if (entries.some(({ userId }) => state.owner !== userId)) return [{ error: sessionEnded() }];
  let answers = await callWith(state.token, world, entries);
  if (answers[0]?.status === 401) {
    state.token = (await shop.again(person)).token;
    answers = await callWith(state.token, world, entries);
  }
  for (const { key } of entries) state.answered.tell(key);
  return answers.map(({ status, code, message, data }) =>
    status >= 400 ? { error: new ApiError(status, { code: code ?? 'unknown', message }) } : { data },
  );
}

type Result = { data: unknown } | { error: ApiError };

const sessionEnded = () => new ApiError(401, { code: 'session_ended' });

/** Several in one batch, as the device's layer sends them. */
async function callWith(token: string, { shop, subject, person, wrongs }: World, entries: readonly Entry[]) {
  if (entries.some(({ userId }) => userId !== person.userId)) wrongs.push('a change was sent as somebody else');
  const as = { ...person, token };
  const [first] = entries;
  if (first && entries.length === 1) return [await subject.call(shop, as, first)];
  const answer = await shop.call('sendBatch', { as, body: { changes: entries.map(changeOf) } });
  if (answer.status >= 400) return [answer];
  return answer.data.answers.map(({ status, answer: done, problem }): Called => {
    const { code, message, data } = { code: undefined, message: '', data: undefined, ...done, ...problem };
    return { status, code, message, data };
  });
}

function changeOf(entry: Entry) {
  if (!isListChange(entry) || entry.operation !== 'setListItem') throw new Error(`${entry.operation} in a batch`);
  const { userId, listId, productId, fields } = entry.input;
  return { key: entry.key, method: 'PUT', path: `/public/lists/${userId}/${listId}/items/${productId}`, body: fields };
}
