/** Strings and bodies that break programs; tests/data/README.md names their sources. */
import { readFileSync } from 'node:fs';
import { isNightly } from './nightly';

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8'));

export const naughtyStrings = (read('naughty-strings.json') as { strings: string[] }).strings;

type FuzzList =
  | 'xss'
  | 'sql'
  | 'nosql'
  | 'path_traversal'
  | 'redirect'
  | 'crlf'
  | 'parameter_pollution'
  | 'email_valid'
  | 'email_invalid'
  | 'null_bytes'
  | 'terminal_escapes'
  | 'integer_overflow'
  | 'format_strings'
  | 'file_names'
  | 'unicode'
  | 'cache_poison_headers';
export const fuzzStrings = (read('fuzz-strings.json') as { categories: Record<FuzzList, string[]> }).categories;

type JsonCase = { name: string; expect: 'accept' | 'reject' | 'either'; base64?: string; repeat?: [string, number] };
export const jsonBodies = (read('json-parsing.json') as { cases: JsonCase[] }).cases.map(
  ({ name, expect, base64 = '', repeat }) => ({
    name,
    expected: expect,
    body: repeat ? Buffer.from(repeat[0].repeat(repeat[1])) : Buffer.from(base64, 'base64'),
  }),
);

/** Texts that look harmless or are invisible. */
export const oddTexts = [
  'a\0b',
  '\0',
  '\ud800',
  'a\udfffb',
  'a\u202eb\u202c',
  '\u2066x\u2069',
  '\u200b\u200d\ufeff',
  `e${'\u0301'.repeat(2000)}`,
  'x'.repeat(10_000),
  '\u{1F336}\uFE0F'.repeat(40),
  'a\r\nBcc: everybody@example.com',
  '\u001b[31mred\u001b[0m',
  '\uffff\ufffe',
];

/** The texts tried in one of several places; nightly runs try all of them in each. */
export const turnOf = <T>(texts: readonly T[], place: number, places: number): T[] =>
  texts.filter((_, at) => isNightly || at % places === place);
