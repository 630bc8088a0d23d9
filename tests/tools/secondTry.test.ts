import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

type Failure = { name: string; file: string };
type Run = { passed: number; failures: Failure[] };
/** Plain JavaScript without types. */
const { afterSecondTry } = (await import(
  /* @vite-ignore */ pathToFileURL(path.resolve('src/tools/testRun.mjs')).href
)) as { afterSecondTry: (first: Run, second: Run) => Run & { byChance: Failure[] } };

const failed = (...names: string[]) => names.map((name) => ({ name, file: 'cart.test.ts' }));

test('a test that fails twice has failed, and one that passes alone is named', () => {
  const first = { passed: 98, failures: failed('adds', 'removes') };
  expect(afterSecondTry(first, { passed: 7, failures: failed('removes') })).toEqual({
    passed: 99,
    failures: failed('removes'),
    byChance: failed('adds'),
  });
});

test('what breaks in the second run has failed too', () => {
  const first = { passed: 99, failures: failed('adds') };
  const second = { passed: 3, failures: failed('clears') };
  expect(afterSecondTry(first, second).failures).toEqual(failed('clears'));
});

test('tests that did not run again have failed', () => {
  const first = { passed: 98, failures: failed('adds', 'removes') };
  expect(afterSecondTry(first, { passed: 0, failures: [] })).toEqual({ ...first, byChance: [] });
});
