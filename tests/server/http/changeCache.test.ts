/** One build for all requests of the same moment. Rule: docs/rules/running.md, Overload */
import { expect, test } from 'vitest';
import { TooManyWaiting } from '../../../src/server/db/core/errors';
import { createChangeCache } from '../../../src/server/http/cache/changeCache';

type Page = { text: string };
const bus = { connected: true, onConnected: () => undefined };
const open = () => createChangeCache<Page>(bus, { max: 10, touches: () => true });

/** A build that ends when the test says so. */
function createMaking() {
  const state = { times: 0 };
  let finish: (page: Page) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const made = new Promise<Page>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const make = () => {
    state.times += 1;
    return made;
  };
  return { make, state, finish, fail };
}

test('requests that wait for a build whose requester is rejected for overload share a new one', async () => {
  const kept = open();
  const [flood, ana, ben] = [createMaking(), createMaking(), createMaking()];
  const first = kept.get('home', flood.make);
  const [anas, bens] = [kept.get('home', ana.make), kept.get('home', ben.make)];
  flood.fail(new Error('the query failed', { cause: new TooManyWaiting() }));
  await expect(first).rejects.toThrow('the query failed');
  ana.finish({ text: 'drawn for Ana' });
  expect(await Promise.all([anas, bens])).toEqual([{ text: 'drawn for Ana' }, { text: 'drawn for Ana' }]);
  expect([flood, ana, ben].map(({ state }) => state.times)).toEqual([1, 1, 0]);
  expect(kept.find('home')).toEqual({ text: 'drawn for Ana' });
});

test('any other failure is shared: without a database no request waits long', async () => {
  const kept = open();
  const [first, second] = [createMaking(), createMaking()];
  const get = async ({ make }: typeof first) => kept.get('home', make);
  const asked = [get(first), get(second)];
  first.fail(new Error('connection terminated'));
  expect(await Promise.allSettled(asked)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(second.state.times).toBe(0);
});
