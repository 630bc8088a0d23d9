import { typosAllowed } from '../../shared/typos';

const shortestPrefix = 5;

/**
 * The distance from the typed text to a word, both folded: 0 for the word itself, 1 for a prefix; otherwise typing
 * mistakes are counted: a letter inserted, deleted, replaced, or swapped with its neighbor.
 * @returns Infinity for a different word
 */
export function distance(typed: string, word: string): number {
  if (word === typed) return 0;
  if (word.startsWith(typed)) return 1;
  const maxEdits = typosAllowed(typed.length);
  if (maxEdits === 0 || word.length < typed.length - maxEdits) return Infinity;
  const { whole, beginning } = edits(typed, word, maxEdits);
  if (whole <= maxEdits) return 1 + whole;
  return typed.length >= shortestPrefix && beginning <= maxEdits ? 1.5 + beginning : Infinity;
}

const longest = 64;
let rows: [Uint8Array, Uint8Array, Uint8Array] = [
  new Uint8Array(longest + 1),
  new Uint8Array(longest + 1),
  new Uint8Array(longest + 1),
];

/**
 * The table of edit distances, of which only three rows are stored: it is filled thousands of times for each letter
 * typed.
 * @returns the edits to the whole word, and to its nearest prefix
 */
function edits(typed: string, word: string, maxEdits: number): { whole: number; beginning: number } {
  if (typed.length > longest) return tooFar;
  const width = Math.min(word.length, typed.length + maxEdits, longest); // the rest of the word cannot matter
  let [before, last, row] = rows;
  for (let column = 0; column <= width; column += 1) last[column] = column;
  for (let at = 1; at <= typed.length; at += 1) {
    row[0] = at;
    let nearest = at;
    for (let column = 1; column <= width; column += 1) {
      const isSame = typed[at - 1] === word[column - 1];
      let least = Math.min(last[column]! + 1, row[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwap = at > 1 && column > 1 && typed[at - 1] === word[column - 2] && typed[at - 2] === word[column - 1];
      if (isSwap) least = Math.min(least, before[column - 2]! + 1);
      row[column] = least;
      nearest = Math.min(nearest, least);
    }
    if (nearest > maxEdits) return tooFar;
    [before, last, row] = [last, row, before];
  }
  rows = [before, last, row];
  const isWhole = width === word.length;
  return { whole: isWhole ? last[width]! : Infinity, beginning: Math.min(...last.subarray(0, width + 1)) };
}

const tooFar = { whole: Infinity, beginning: Infinity };
