/** The rules quote the shop. A sentence in quotes that the shop no longer says misleads its readers. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesUnder } from '../support/documents';
import { readWords } from '../support/readWords';

/** Sentences that the page puts together from several texts, and examples. */
const composed = new Set([
  'Add to cart $7.95',
  'Add $4.35 for free delivery',
  'As of Nov 20, 6:15 PM',
  'Since Nov 20, 6:15 PM',
  'Price $3.65 to $4.02',
  'Nov 14, 2026, 10:42 AM EST',
  'in your cart and Weekly kitchen',
  '2.1 oz (60 g)',
  '8 fl oz (237 ml)',
  '1 lb (454 g)',
]);

const texts = readWords(['src', 'sw']).map(({ parts }) => parts.map(plain));
const said = texts.map((parts) => parts.join('\u0001')).join('\u0002');
const templates = texts
  .filter((parts) => parts.length > 1 && parts.join('').trim().length > 3)
  .map((parts) => new RegExp(`^${parts.map(escaped).join('.{0,80}?')}$`));

test.each(filesUnder(['docs/rules'], /\.md$/))('%s quotes only sentences that the shop says', (file) => {
  const quotes = quotedIn(readFileSync(file, 'utf8')).filter((quote) => quote.split(' ').length > 3);
  expect(quotes.filter((quote) => !composed.has(quote) && !isSaid(quote))).toEqual([]);
});

const isSaid = (quote: string): boolean => saysWhole(quote) || sentencesOf(quote).every(saysWhole);

/** Two sentences in one pair of quotes may be two texts. */
const sentencesOf = (quote: string) => quote.split(/(?<=[.!?]) (?=[A-Z])/);

function saysWhole(sentence: string): boolean {
  const beginning = sentence.replace(/ ?…$/, '');
  return (
    said.includes(beginning) ||
    templates.some((template) => template.test(sentence) || template.test(`${beginning} x.`))
  );
}

/** @returns what is between single or double quotes outside of code, in a paragraph or a cell */
function quotedIn(markdown: string): string[] {
  const prose = plain(markdown.replaceAll(/```[\s\S]*?```|`[^`]*`/g, '').replaceAll(/\n(?:\n|(?=\|))/g, '¶'));
  const quotes = prose.matchAll(/(?<!\w)'((?:[^'|¶]|'(?=[a-z]{1,2}\b))+)'(?!\w)|"([^"|¶]+)"/g);
  return [...quotes].map(([, single, double]) => single ?? double ?? '');
}

function plain(text: string): string {
  return text.replaceAll('’', "'").replaceAll(/\s+/g, ' ');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
