/** Typing mistakes from a seed, for the search on the server and on a device. */
import { createRandom } from '../chaos/random';

export type Named = { id: string; name: string; otherNames: readonly string[] };
export type Typo = { typed: string; meant: string; productId: string };

const shortest = 5;
const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/**
 * @returns mistyped words: each a random word of 5 or more letters from a random product's name, with one letter
 * inserted, deleted, replaced or swapped with the next at a random position
 */
export function makeTypos(products: readonly Named[], count: number, seed: number): Typo[] {
  const { below, oneOf } = createRandom(seed);
  const named = products.flatMap(({ id, name, otherNames }) => {
    const words = [name, ...otherNames].flatMap((each) => each.match(/\p{L}+/gu) ?? []);
    const long = words.filter((word) => word.length >= shortest);
    return long.length > 0 ? [{ id, long }] : [];
  });
  return Array.from({ length: count }, () => {
    const { id, long } = oneOf(named);
    const meant = oneOf(long);
    for (;;) {
      const typed = oneOf(mistakes)(meant, below(meant.length), oneOf(Array.from(alphabet)));
      if (typed !== meant) return { typed, meant, productId: id };
    }
  });
}

type Mistake = (word: string, at: number, letter: string) => string;
const mistakes: Mistake[] = [
  (word, at, letter) => word.slice(0, at) + letter + word.slice(at),
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at, letter) => word.slice(0, at) + letter + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word.slice(at + 1, at + 2) + word.slice(at, at + 1) + word.slice(at + 2),
];
