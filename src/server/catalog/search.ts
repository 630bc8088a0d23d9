/**
 * The product search.
 *
 * The words of all products are in product_search, maintained by triggers and indexed for whole words and prefixes. Matches
 * are ranked in tiers (searchRepository.ts), and by name within a tier. If few names match, similar words from the list of
 * all words (pg_trgm) count too, with as many typos as shared/typos.ts allows, and only the nearest ones. A single score
 * would be simpler, but a score needs tuning, while a tier can be explained.
 * Rule: docs/rules/catalog.md, Search
 */
import { readSearch, wordsOf } from '../../shared/search';
import { editsBetween, typosAllowed } from '../../shared/typos';
import type { Connection } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import { type Card, findCards } from './cards';
import { findProductsById, type ProductRow } from './repository';
import {
  findLikeWords,
  findMatches,
  findTyped,
  findWithSigns,
  findWithout,
  maxInTier,
  type Matches,
  type SearchPage,
  type SearchTerms,
} from './searchRepository';
import type { List } from './service';

/** Everything except letters, digits, accents and apostrophes, which the database folds. */
const notInWords = /[^\p{L}\p{N}\p{M}\p{Sk}'‘’‛]+/gu;
const maxWords = 8;
/** With at least this many matches by name, the search ignores typing mistakes. */
const enough = 3;

/**
 * @param text the search text, at most as long as the contract allows
 * @param isGrouped whether one product stands for all matching sizes of its group
 * @returns the matching listed products, best first; a few hundred at most for a common word
 */
export async function searchProducts(
  connection: Connection,
  text: string,
  page: PageRequest,
  isGrouped = false,
): Promise<List<Card>> {
  const { ids, cards } = await findIds(connection, text, { ...page, isGrouped });
  if (isGrouped) return { rows: await findCards(connection, ids), totalElements: cards };
  const rows = await findProductsById(connection, ids);
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ id }: ProductRow) => places.get(id) ?? 0;
  const inOrder = rows.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { rows: inOrder.map((product) => ({ product, sizes: [] })), totalElements: cards };
}

async function findIds(connection: Connection, text: string, page: SearchPage): Promise<Matches> {
  const { rest, without } = readSearch(text);
  if (wordsOf(rest).length === 0)
    return without.length > 0 ? findWithout(connection, without, page) : findWithSigns(connection, text.trim(), page);
  const typed = await findTyped(connection, rest.replaceAll(notInWords, ' '), maxWords);
  if (typed.words.length === 0) return findWithSigns(connection, text.trim(), page);
  const asTyped = await findMatches(connection, typed, 'all', page, without);
  if (asTyped.byName >= enough || asTyped.total >= maxInTier) return asTyped;
  const meant: SearchTerms = { whole: typed.whole, words: await withLikeWords(connection, typed.words) };
  const isMistyped = meant.words.some(({ like }) => like.length > 0);
  const found = isMistyped ? await findMatches(connection, meant, 'all', page, without) : asTyped; // the query would be the same
  return found.total > 0 || typed.words.length === 1 ? found : findMatches(connection, meant, 'any', page, without);
}

/** Adds to each word the nearest words that it may be a typo of. */
async function withLikeWords(connection: Connection, words: SearchTerms['words']): Promise<SearchTerms['words']> {
  const mistypable = words
    .filter(({ word }) => typosAllowed(word.length) > 0)
    .map(({ word }) => ({ word, swapped: swapsOf(word), threshold: leastAlike(word.length) }));
  const candidates = await findLikeWords(connection, mistypable);
  return words.map((each) => ({ ...each, like: nearestTo(each.word, candidates.get(each.word) ?? []) }));
}

function nearestTo(word: string, candidates: readonly string[]): string[] {
  const near = [...new Set(candidates)]
    .map((like) => ({ like, edits: editsBetween(word, like) }))
    .filter(({ edits }) => edits > 0 && edits <= typosAllowed(word.length));
  const fewest = Math.min(...near.map(({ edits }) => edits));
  return near.filter(({ edits }) => edits === fewest).map(({ like }) => like);
}

/**
 * The minimum pg_trgm similarity of a word and its typo. A word of n letters has n + 1 trigrams; a wrong letter changes three
 * of them, a swap of neighbors four. Single swaps are looked up directly, so the worst case is one wrong letter, or two swaps
 * where two typos are allowed.
 */
function leastAlike(length: number): number {
  const changed = typosAllowed(length) > 1 ? 8 : 3;
  const rounding = 0.01;
  return Math.max(0.24, (length + 1 - changed) / (length + 1 + changed) - rounding);
}

/** The word with each pair of neighboring letters swapped. */
function swapsOf(word: string): string[] {
  const letters = Array.from(word);
  return letters
    .slice(1)
    .map((letter, at) => [...letters.slice(0, at), letter, letters[at] ?? '', ...letters.slice(at + 2)].join(''));
}
