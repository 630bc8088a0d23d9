import type { Schema } from '../../shared/contract';
import { readSearch, tierOf, wordsOf } from '../../shared/search';
import { isForgivenInText } from '../../shared/typos';
import { distance } from './distance';

/**
 * Searches products on the device. A shop has a few thousand distinct words: the typed text is compared with each of
 * them, which takes a few milliseconds and accepts mistakes in unfinished words. The tiers are the server's
 * (shared/search.ts).
 *
 * Tried and dropped: MiniSearch. It supports neither swapped letters nor mistakes in a prefix, its ranking had to be
 * redone, and with two thousand products a keystroke took twice as long as a slow phone may need.
 */
type Product = Schema<'Product'>;
/** @returns the matches, best first */
export type Search = (text: string) => Product[];

/** A word of the catalog and where it occurs: ascending indexes into the list of products. */
interface Word {
  text: string;
  inNames: number[];
  inOthers: number[];
  inTexts: number[];
}
interface Sold {
  product: Product;
  name: string;
  others: string[];
}

/** Built in small batches, so that typing and scrolling stay responsive. */
export async function createProductIndex(products: readonly Product[]): Promise<Search> {
  const known = new Map<string, Word>();
  const add = (text: string, where: 'inNames' | 'inOthers' | 'inTexts', place: number) => {
    for (const each of wordsOf(text)) {
      const word = known.get(each) ?? { text: each, inNames: [], inOthers: [], inTexts: [] };
      if (word[where].at(-1) !== place) word[where].push(place);
      known.set(each, word);
    }
  };
  const folded = (text: string) => wordsOf(text).join(' ');
  const sold = products
    .filter(({ archived }) => !archived)
    .map((product): Sold => ({ product, name: folded(product.name), others: product.otherNames.map(folded) }))
    .sort((one, other) => compare(one.name, other.name) || compare(one.product.id, other.product.id));
  for (const [place, { product, name, others }] of sold.entries()) {
    if (place % batchSize === batchSize - 1) await pause();
    add(name, 'inNames', place);
    add(others.join(' '), 'inOthers', place);
    add(product.description, 'inTexts', place);
  }
  const words = [...known.values()];
  // warms the code up before the first letter is typed, which has the most matches
  for (const letter of ['e', 'a', 's']) {
    await pause();
    find(words, letter, sold);
  }
  return (text) => find(words, text, sold);
}

const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
const batchSize = 100;
const pause = () => new Promise((resolve) => setTimeout(resolve));

/** Products that match every typed word; if none does, those that match the most. */
function find(words: readonly Word[], text: string, sold: readonly Sold[]): Product[] {
  const { rest, without } = readSearch(text);
  const typed = [...new Set(wordsOf(rest))];
  if (typed.length === 0 && without.length === 0) return [];
  const counts = new Uint8Array(sold.length);
  const worst = new Float64Array(sold.length);
  const best = new Float64Array(sold.length).fill(Infinity);
  for (const one of typed) {
    tiersOf(words, one, sold.length).forEach((tier, place) => {
      if (tier === Infinity) return;
      counts[place]! += 1;
      worst[place] = Math.max(worst[place]!, tier);
      best[place] = Math.min(best[place]!, tier);
    });
  }
  const passes = ({ product }: Sold) => !product.allergens.some((each) => without.includes(each.toLowerCase()));
  const most = sold.reduce((one, each, place) => (passes(each) ? Math.max(one, counts[place]!) : one), 0);
  if (most === 0 && typed.length > 0) return [];
  const tiers = most === typed.length ? worst : best;
  const whole = wordsOf(rest).join(' ');
  // there are few distinct tiers, and within one the order is by name
  const byTier = new Map<number, Product[]>();
  for (const [place, each] of sold.entries()) {
    if (counts[place] !== most || !passes(each)) continue;
    const tier = typed.length === 0 ? 0 : withWhole(tiers[place]!, whole, each);
    const equal = byTier.get(tier);
    if (equal) equal.push(each.product);
    else byTier.set(tier, [each.product]);
  }
  return [...byTier.keys()].sort((one, other) => one - other).flatMap((tier) => byTier.get(tier) ?? []);
}

/** A better tier if the whole typed text is a name, or the start of one. */
function withWhole(tier: number, whole: string, { name, others }: Sold): number {
  if (tier > tierOf.otherPrefixes) return tier;
  if (name === whole) return tierOf.wholeName;
  if (name.startsWith(`${whole} `)) return tierOf.startWords;
  if (tier === tierOf.namePrefixes && name.startsWith(whole)) return tierOf.startLetters;
  return tier > tierOf.wholeOther && others.includes(whole) ? tierOf.wholeOther : tier;
}

/** @returns the tier of each product for one typed word; mistakes are not considered if a name has the word as typed */
function tiersOf(words: readonly Word[], typed: string, count: number): Float64Array {
  const near: { word: Word; far: number }[] = [];
  for (const word of words) {
    const far = distance(typed, word.text);
    if (far < Infinity) near.push({ word, far });
  }
  const isNamed = near.some(({ far, word }) => far <= 1 && word.inNames.length + word.inOthers.length > 0);
  const tiers = new Float64Array(count).fill(Infinity);
  const put = (places: readonly number[], tier: number) => {
    for (const place of places) tiers[place] = Math.min(tiers[place]!, tier);
  };
  for (const { far, word } of near) {
    if (far <= 1) {
      put(word.inNames, far === 0 ? tierOf.nameWords : tierOf.namePrefixes);
      put(word.inOthers, far === 0 ? tierOf.otherWords : tierOf.otherPrefixes);
      if (far === 0 || typed.length >= shortWord) put(word.inTexts, tierOf.text);
    } else if (!isNamed) {
      const mistakes = far / 10; // below 1, so that fewer mistakes come first within the tier
      put(word.inNames, tierOf.likeName + mistakes);
      put(word.inOthers, tierOf.likeName + mistakes);
      if (isForgivenInText(typed, word.text)) put(word.inTexts, tierOf.likeText + mistakes);
    }
  }
  return tiers;
}

const shortWord = 3; // letters; nearly every text has a word that begins with fewer
