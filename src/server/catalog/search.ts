/**
 * The search: finds the products that a typed text means.
 *
 * The words of all products stand in the database (product_search, kept by triggers), in indexes that find them by the
 * word and by its beginning. What is found is put into tiers, the best one first (searchRepository.ts); within a tier they
 * are sorted by name. When hardly a name has the words, those that look like them are
 * taken from the list of all words (pg_trgm) and count too: mistyped by as much as shared/typos.ts allows, and of these
 * only the nearest. Ranking everything by one number was simpler, but a number has to be tuned and a tier can be said.
 * Rule: docs/rules/catalog.md, Search
 */
import { readSearch, wordsOf } from '../../shared/search';
import { editsBetween, typosAllowed } from '../../shared/typos';
import type { Connection } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import { findProductsById, type ProductRow } from './repository';
import {
  findLikeWords,
  findMatches,
  findTyped,
  findWithSigns,
  findWithout,
  maxInTier,
  type Matches,
  type Sought,
} from './searchRepository';
import type { List } from './service';

/** Everything but letters, digits, accents and apostrophes; the database folds those. */
const notInWords = /[^\p{L}\p{N}\p{M}\p{Sk}'‘’‛]+/gu;
const maxWords = 8;
/** With at least this many matches by name, the search ignores typing mistakes. */
const enough = 3;

/**
 * @param text what was typed, at most as long as the contract allows
 * @returns the products that are sold and fit, the best ones first; of a word that many have, some hundreds
 */
export async function searchProducts(
  connection: Connection,
  text: string,
  page: PageRequest,
): Promise<List<ProductRow>> {
  const { ids, total } = await findIds(connection, text, page);
  const rows = await findProductsById(connection, ids);
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ id }: ProductRow) => places.get(id) ?? 0;
  return { rows: rows.toSorted((one, other) => placeOf(one) - placeOf(other)), totalElements: total };
}

async function findIds(connection: Connection, text: string, page: PageRequest): Promise<Matches> {
  const { rest, without } = readSearch(text);
  if (wordsOf(rest).length === 0)
    return without.length > 0 ? findWithout(connection, without, page) : findWithSigns(connection, text.trim(), page);
  const typed = await findTyped(connection, rest.replaceAll(notInWords, ' '), maxWords);
  if (typed.words.length === 0) return findWithSigns(connection, text.trim(), page);
  const asTyped = await findMatches(connection, typed, 'all', page, without);
  if (asTyped.byName >= enough || asTyped.total >= maxInTier) return asTyped;
  const meant: Sought = { whole: typed.whole, words: await withLikeWords(connection, typed.words) };
  const isMistyped = meant.words.some(({ like }) => like.length > 0);
  const found = isMistyped ? await findMatches(connection, meant, 'all', page, without) : asTyped; // the same question
  return found.total > 0 || typed.words.length === 1 ? found : findMatches(connection, meant, 'any', page, without);
}

/** Each word with the nearest ones to it that it may be a mistyped form of. */
async function withLikeWords(connection: Connection, words: Sought['words']): Promise<Sought['words']> {
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
 * What pg_trgm's similarity of a word to a mistyped form of it is at the least. A word of n letters has n + 1 trigrams,
 * of which a wrong letter changes three and swapped neighbours four. One swap alone is asked for as it is, so the least
 * is one wrong letter, or two swaps where two mistakes are forgiven.
 */
function leastAlike(length: number): number {
  const changed = typosAllowed(length) > 1 ? 8 : 3;
  const rounding = 0.01;
  return Math.max(0.24, (length + 1 - changed) / (length + 1 + changed) - rounding);
}

/** The word with each two neighbours swapped. */
function swapsOf(word: string): string[] {
  const letters = Array.from(word);
  return letters
    .slice(1)
    .map((letter, at) => [...letters.slice(0, at), letter, letters[at] ?? '', ...letters.slice(at + 2)].join(''));
}
