import { expect, test } from 'vitest';
import { loadOnce } from '../../../src/web/ui/afterLoad';

test('presses that wait for a part of the page are done in their order, once it is loaded', async () => {
  const loading: ((part: string) => void)[] = [];
  const load = loadOnce(() => new Promise<string>((resolve) => loading.push(resolve)));
  const done: string[] = [];
  const presses = ['first', 'second'].map((press) => load().then((part) => done.push(`${press} ${part}`)));
  expect(loading).toHaveLength(1);
  loading[0]?.('loaded');
  await Promise.all(presses);
  expect(done).toEqual(['first loaded', 'second loaded']);
});

test('a part that failed to load is loaded again by the next press', async () => {
  let count = 0;
  const load = loadOnce(() => (++count === 1 ? Promise.reject(new Error('no connection')) : Promise.resolve('loaded')));
  await expect(load()).rejects.toThrow('no connection');
  await expect(load()).resolves.toBe('loaded');
});
