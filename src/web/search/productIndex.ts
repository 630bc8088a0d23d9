import type { Schema } from '../../shared/contract';
import { wordsOf } from '../../shared/search';
import { distance } from './distance';

/**
 * Finds products on the device. A shop has some thousand different words: what was typed is compared with each of them,
 * which takes a few milliseconds, forgives a mistake in a word that is still being typed, and says itself what comes
 * first: the word, then its beginning, then a typing mistake; in a name before in a description.
 *
 * Tried and dropped: MiniSearch. It knows no swapped letters and no mistakes in a beginning, its ranking had to be done
 * again, and with two thousand products a key took twice as long as a slow phone may need.
 */
type Product = Schema<'Product'>;
/** @returns what was found, best first */
export type Search = (text: string) => Product[];

/** A word of the catalog, and where it stands: places in the list of products, the first one first. */
interface Word {
  text: string;
  inNames: number[];
  inTexts: number[];
}

/** Made in small parts, so that typing and scrolling go on meanwhile. @param products in the order of lists */
export async function createProductIndex(products: readonly Product[]): Promise<Search> {
  const known = new Map<string, Word>();
  const add = (text: string, where: 'inNames' | 'inTexts', place: number) => {
    for (const each of wordsOf(text)) {
      const word = known.get(each) ?? { text: each, inNames: [], inTexts: [] };
      if (word[where].at(-1) !== place) word[where].push(place);
      known.set(each, word);
    }
  };
  for (const [place, { name, otherNames, description, archived }] of products.entries()) {
    if (place % atOnce === atOnce - 1) await pause();
    if (archived) continue;
    add([name, ...otherNames].join(' '), 'inNames', place);
    add(description, 'inTexts', place);
  }
  const words = [...known.values()];
  // so that the code is warm when the first letter comes, which finds the most
  for (const letter of ['e', 'a', 's']) {
    await pause();
    find(words, [letter], products);
  }
  return (text) => find(words, wordsOf(text), products);
}

const atOnce = 100;
const pause = () => new Promise((resolve) => setTimeout(resolve));

/** Where every typed word was found; where none has all of them, what has the most. */
function find(words: readonly Word[], typed: readonly string[], products: readonly Product[]): Product[] {
  const counts = new Uint8Array(products.length);
  const sums = new Float64Array(products.length);
  for (const one of new Set(typed)) {
    nearestIn(words, one, products.length).forEach((far, place) => {
      if (far === Infinity) return;
      counts[place]! += 1;
      sums[place]! += far;
    });
  }
  const most = counts.reduce((one, other) => Math.max(one, other), 0);
  if (most === 0) return [];
  // few sums are different, and among equal ones the order of the list counts
  const bySum = new Map<number, Product[]>();
  for (const [place, product] of products.entries()) {
    if (counts[place] !== most) continue;
    const sum = sums[place] ?? 0;
    const equal = bySum.get(sum);
    if (equal) equal.push(product);
    else bySum.set(sum, [product]);
  }
  return [...bySum.keys()].sort((one, other) => one - other).flatMap((sum) => bySum.get(sum) ?? []);
}

const notInName = 1.25;

/** @returns how far each product is from one typed word; a mistake is not looked for where a name has what was typed */
function nearestIn(words: readonly Word[], typed: string, count: number): Float64Array {
  const near: { word: Word; far: number }[] = [];
  for (const word of words) {
    const far = distance(typed, word.text);
    if (far < Infinity) near.push({ word, far });
  }
  const isNamed = near.some(({ far, word }) => far <= 1 && word.inNames.length > 0);
  const nearest = new Float64Array(count).fill(Infinity);
  for (const { far, word } of near) {
    if (isNamed && far > 1) continue;
    for (const place of word.inNames) nearest[place] = Math.min(nearest[place]!, far);
    for (const place of word.inTexts) nearest[place] = Math.min(nearest[place]!, far + notInName);
  }
  return nearest;
}
