/** docs/configuration.md has every variable that the code reads, with its default, and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/server/core/config';

const page = readFileSync('docs/configuration.md', 'utf8');

/** The rows of the first table under a heading: the variables of the first cell, and the second cell. */
function rowsUnder(heading: string): { names: string[]; cell: string }[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) => {
    const [, first = '', cell = ''] = line.split('|').map((text) => text.trim());
    return { names: [...first.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => name), cell };
  });
}

const ofTheShop = rowsUnder('The shop');
const ofTheProvider = rowsUnder('Running the test provider separately');
const named = (rows: { names: string[] }[]) => rows.flatMap(({ names }) => names);

/** Set by `npm start` or by the machine: a sentence under the table describes them. */
const ofTheMachine = new Set(['NODE_ENV', 'PATH', 'TMPDIR']);

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|mjs)$/.test(file) && !file.endsWith('configuration.test.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));

/**
 * Every way in which the server and the test provider read a variable: `env['X']`, `env.X`, `readPort(env, 'X', …)`.
 */
function readIn(folder: string): string[] {
  const reading = /\benv(?:\.|\[')([A-Z][A-Z0-9_]*)|\benv,\s*'([A-Z][A-Z0-9_]*)'/g;
  const names = sourcesIn(folder).flatMap((source) =>
    [...source.matchAll(reading)].map(([, one, other]) => one ?? other ?? ''),
  );
  return [...new Set(names)].filter((name) => !ofTheMachine.has(name));
}

test('the table of the shop has every variable that the server reads, each once, and no other', () => {
  const read = readIn('src/server');
  expect(read.length).toBeGreaterThan(20);
  expect(named(ofTheShop).toSorted()).toEqual(read.toSorted());
});

test('the test provider has its own variables besides the shop’s', () => {
  const known = new Set(named(ofTheShop));
  const own = readIn('src/sandbox').filter((name) => !known.has(name));
  expect(named(ofTheProvider).toSorted()).toEqual(own.toSorted());
});

test('every read of a variable in config.ts is one that this test finds', () => {
  const source = readFileSync('src/server/core/config.ts', 'utf8');
  const quoted = [...source.matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)'/g)].map(([, name = '']) => name);
  expect([...new Set(quoted)].toSorted()).toEqual(named(ofTheShop).toSorted());
});

describe('setting a variable to its default changes nothing', () => {
  const valued = ofTheShop.flatMap(({ names: [name = ''], cell }) => {
    const [, value] = /^`([^`]+)`/.exec(cell) ?? [];
    return value === undefined ? [] : [[name, value] as const];
  });

  test('each row has a value or says that there is none', () => {
    expect(ofTheShop.filter(({ cell }) => !/^(?:`|none\b)/.test(cell))).toEqual([]);
    expect(valued.length).toBeGreaterThan(8);
  });

  test.each(valued)('%s is %s', (name, value) => expect(readConfig({ [name]: value })).toEqual(readConfig({})));
});

test('a variable without a default in the table has none in the code', () => {
  const { payments, ...config } = readConfig({});
  const none = Object.entries({ ...config, ...payments }).filter(([, value]) => value === undefined);
  expect(none.map(([key]) => key).toSorted()).toEqual(
    [
      'databaseAppUrl',
      'databaseDirectUrl',
      'databaseReplicaUrl',
      'databaseUrl',
      'metricsPort',
      'ownerPassword',
      's3',
      'sessionSecret',
    ]
      .concat('smtpUrl', 'controlToken', 'keys', 'url')
      .toSorted(),
  );
  expect(config.trustProxy).toEqual([]);
});

test('every variable of tests and benchmarks is read somewhere', () => {
  const sources = [...sourcesIn('tests'), ...sourcesIn('src/tools')].join('\n');
  const names = named(rowsUnder('Tests and measurements'));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !sources.includes(name))).toEqual([]);
});
