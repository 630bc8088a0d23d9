/** How far a typed word may differ from the intended one. Rule: docs/rules/catalog.md, Search */

/**
 * Maximum edits for a word of this length: letters inserted, deleted, replaced or swapped with a neighbor. In a short
 * word, one changed letter too often gives a different word.
 */
export const typosAllowed = (length: number): number => (length >= 8 ? 2 : length >= 4 ? 1 : 0);

/** @returns the smallest number of such edits that turn one word into the other */
export function editsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    rows.push(next);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
      );
    }
  }
  return at(one.length, other.length);
}

const shortestInText = 6;

/** Descriptions have many words, so typos there are allowed only in longer words with the same first letter. */
export const isForgivenInText = (typed: string, word: string): boolean =>
  typed.length >= shortestInText && typed[0] === word[0];
