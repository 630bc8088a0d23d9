/** How the shop talks: words that nobody should read in it. Rule: docs/rules/words.md, What people read */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { specSentences } from '../data/specSentences';
import { filesUnder } from '../support/documents';
import { readWords } from '../support/readWords';

const fixed = new Set(specSentences);
const all = readWords(['src', 'sw']).map(({ parts, where }) => ({ text: parts.join(' … ').trim(), where }));
/** Without names, paths, styles and SQL: words that a person reads have a space, or are a label. */
const read = all.filter(
  ({ text }) => !fixed.has(text) && (/\S \S/.test(text) || /^[A-Z][a-z]+$/.test(text)) && !isCode(text),
);
const pages = read.filter(({ where }) => /^src\/(?:shared|web)\/|emailTemplates|mail\/render/.test(where));

function isCode(text: string): boolean {
  return /^\s*(?:select|insert|update \w+ set|delete from|with \w+ as|create|alter|and |or |from |order by|set local)\b|[{};]|=>|--|::/i.test(
    text,
  );
}

const foundIn = (texts: readonly { text: string; where: string }[], word: RegExp) =>
  texts.filter(({ text }) => word.test(text)).map(({ text, where }) => `${where}: ${text.slice(0, 120)}`);

describe('nobody reads', () => {
  test.each([
    ['successfully', /\bsuccessfully\b/i],
    ['Please, which is for the one time when we are at fault', /\bplease\b/i],
    ['at once', /\bat once\b/i],
    ['any more', /\bany more\b/i],
    ['somebody and the like', /\b(?:some|any|every|no)body\b|\bwho(?:m|so)?ever\b/i],
    ['switched on or off', /\bswitch\w* (?:on|off)\b/i],
    ['inactivate', /\binactivat/i],
    ['British spelling', /\b(?:colour|grey|chilli|flavour|favourite|neighbour)|(?:cancell|labell|travell)ed\b/i],
    ['signed in', /\bsign(?:s|ed|ing)? (?:in|out)\b/i],
    [
      'cannot, where people say can’t',
      /\b(?:cannot|is not|are not|does not|do not|has not|have not|will not|could not)\b/,
    ],
  ])('%s', (_, word) => {
    expect(foundIn(pages, word)).toEqual([]);
  });

  test('of a session, where a device is meant', () => {
    expect(foundIn(pages, /\bsessions?\b(?!\.key\b)/i)).toEqual([]); // a file's name
  });

  test('goods, holds, mistakes or a mail, which have plainer words', () => {
    expect(
      foundIn(pages, /\b(?:goods|mistakes?|mails?(?! server)|parcels?|given back|gives? back|held|queued)\b/i),
    ).toEqual([]);
  });
});

test('the command line and the log have neither', () => {
  const others = read.filter(({ where }) => !where.startsWith('src/sandbox/'));
  expect(
    foundIn(others, /\bsuccessfully\b|\bplease\b|\bat once\b|\bany more\b|\b(?:some|any|every|no)body\b|\bcolour\b/i),
  ).toEqual([]);
});

test('the examples of the contract speak the same way', () => {
  const lines = filesUnder(['openapi'], /\.yaml$/).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((text, index) => ({ text: text.trim(), where: `${file}:${index + 1}` })),
  );
  const messages = lines.filter(({ text }) => /^(?:- )?(?:message|detail|subject|text|lastError): /.test(text));
  const ours = messages.filter(({ text }) => !specSentences.some((sentence) => text.includes(sentence)));
  expect(
    foundIn(ours, /\bsuccessfully\b|\bplease\b|\bat once\b|\bany more\b|body\b|\bcancelled\b|\bcannot\b/i),
  ).toEqual([]);
});
