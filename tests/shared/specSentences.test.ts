/** The client's specification fixes some words. They stay in the source as they are, until the client says otherwise. */
import { expect, test } from 'vitest';
import { specSentences } from '../data/specSentences';
import { readWords } from '../support/readWords';

const words = readWords(['src/shared', 'src/web']);
const whole = new Set(words.filter(({ parts }) => parts.length === 1).map(({ parts: [text = ''] }) => text.trim()));
const templates = words.map(({ parts }) => parts).filter((parts) => parts.length > 1);

test.each(specSentences)('the shop still says "%s"', (sentence) => {
  expect(whole.has(sentence) || templates.some((parts) => isWritten(sentence, parts))).toBe(true);
});

/** Whether a template with these parts writes the sentence, most of which is in the parts. */
function isWritten(sentence: string, parts: readonly string[]): boolean {
  if (parts.join('').length * 2 < sentence.length) return false;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = sentence.indexOf(part, at);
    if (found < 0 || (index === 0 && found > 0)) return false;
    at = found + part.length;
  }
  return sentence.endsWith(parts.at(-1) ?? '');
}
