/** What the rounds of the tests leave to each other is run by one of them: src/tools/rounds.mjs. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alone, longForms, ownDatabase } from '../../src/tools/rounds.mjs';
import browserTests from '../e2e/playwright.config';
import { filesUnder } from '../support/documents';

const tests = filesUnder(['tests/sandbox', 'tests/server', 'tests/shared', 'tests/web'], /\.test\.ts$/);
const isIn = (round: readonly string[]) => (file: string) => round.some((name) => file.includes(name));

test('every test that has a long form is run in it by the long round', () => {
  const lengths = /from '[./]+\/(?:support\/length|drilledShop)'|\bturnOf\b/; // itself, or by a helper
  const longer = tests.filter((file) => lengths.test(readFileSync(file, 'utf8')));
  expect(longer.length).toBeGreaterThan(8);
  expect(longer.filter((file) => !isIn(longForms)(file))).toEqual([]);
});

test('no round names a test that is gone', () => {
  expect(alone.filter((name) => !longForms.includes(name))).toEqual([]);
  expect([...longForms, ...ownDatabase].filter((name) => !tests.some((file) => file.includes(name)))).toEqual([]);
});

test('every browser test is run: on a phone, if no list has it', () => {
  const listed = (browserTests.projects ?? []).flatMap(({ testMatch = [] }) => testMatch);
  const rest = (browserTests.projects ?? []).filter(({ testMatch }) => testMatch === undefined);
  expect(rest.map(({ name }) => name)).toEqual(['phone']);
  expect(new Set([rest[0]?.testIgnore].flat())).toEqual(new Set(listed));
});
