import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { account } from './account';
import { backOffice } from './backOffice';
import { catalogue } from './catalogue';
import { stage } from './stage';
import { validation } from './validation';

/**
 * The sentences of docs/rules, each with what provokes it; headings and labels are in the
 * tables of screens (tests/e2e/screens). Each stands once in src/shared and nowhere else, so that browser and server
 * cannot say it differently.
 */
beforeAll(() => stage.raise());
afterEach(() => stage.clear());
afterAll(() => stage.shop.close());

const table = Object.entries({ ...validation, ...catalogue, ...account, ...backOffice }).map(([sentence, provoke]) => ({
  sentence,
  provoke,
}));

test('the table has all of them', () => {
  expect(table).toHaveLength(79);
});

describe('the shop says', () => {
  test.each(table)('$sentence', async ({ provoke }) => {
    await provoke();
  });
});

describe('each sentence stands once', () => {
  const shared = sourcesOf('src/shared');
  const elsewhere = ['src/web', 'src/server', 'src/sandbox'].flatMap(sourcesOf);
  test.each(table)('$sentence', ({ sentence }) => {
    const inSource = asWritten(sentence);
    expect(shared.flatMap(({ text }) => text.match(inSource) ?? [])).toHaveLength(1);
    expect(elsewhere.filter(({ text }) => text.search(inSource) >= 0).map(({ file }) => file)).toEqual([]);
  });
});

/** Between quotes; a number or a role may be filled in. */
function asWritten(sentence: string): RegExp {
  const filledIn = String.raw`(?:$&|\$\{[\w[\]]+\})`;
  const text = sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\d+|(?:Admin|User)$/g, filledIn);
  return new RegExp(`(['\`])${text}\\1`, 'g');
}

function sourcesOf(folder: string): { file: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.gen.'))
    .map((name) => ({
      file: path.join(folder, name),
      text: withoutComments(readFileSync(path.join(folder, name), 'utf8')),
    }));
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
