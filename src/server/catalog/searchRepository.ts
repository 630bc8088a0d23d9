import { sql } from 'drizzle-orm';
import { tierOf } from '../../shared/search';
import { isForgivenInText } from '../../shared/typos';
import { statement, type Connection } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';

/**
 * Folded words, each with the words that start with it (undefined: too many) and those it may be a typo of. `whole` is the
 * complete text, for comparison with a complete name.
 */
export type SearchTerms = { whole: string; words: SearchWord[] };
type SearchWord = { word: string; begun: string[] | undefined; like: string[] };
/**
 * `total`: how many products match. `cards`: how many cards they have; the same, unless sizes are grouped. `byName`: how
 * many of the products have the words in their names, without typos.
 */
export type Matches = { ids: string[]; total: number; cards: number; byName: number };
const noMatches: Matches = { ids: [], total: 0, cards: 0, byName: 0 };

/** @param isGrouped whether only one of the matching sizes of a group is returned */
export type SearchPage = PageRequest & { isGrouped: boolean };

/**
 * The maximum number of matches per tier: thousands of matches of a common word cannot be ranked usefully. Once the better
 * tiers have this many, the lower ones are skipped.
 */
export const maxInTier = 500;
const shortWord = 3; // letters; a shorter prefix is in nearly every text

/**
 * @param how whether 'all' or 'any' of the words must match
 * @param without allergens that no match may have, in lower case
 */
export async function findMatches(
  connection: Connection,
  { whole, words }: SearchTerms,
  how: 'all' | 'any',
  { page, size, isGrouped }: SearchPage,
  without: readonly string[],
): Promise<Matches> {
  const all = (queries: string[]) => queries.join(how === 'all' ? ' & ' : ' | ');
  const exact = all(words.map(({ word }) => lexeme(word)));
  const begun = all(words.map(beginning));
  const inText = all(words.map((each) => (each.word.length < shortWord ? lexeme(each.word) : beginning(each))));
  const isMistyped = words.some(({ like }) => like.length > 0);
  const hasText = words.some(({ word }) => word.length >= shortWord);
  const asWords = words.map(({ word }) => `% ${word} %`);
  const asPrefixes = words.map(({ word }) => `% ${word}%`);
  const values = [whole, exact, begun, inText, hasText, size, page, asWords, asPrefixes, without];
  const { like, typed } = statements[how][isGrouped ? 'grouped' : 'all'];
  const withLike = (likeOf: (each: SearchWord) => string[]) =>
    all(words.map((each) => `(${[beginning(each), ...likeOf(each).map(lexeme)].join(' | ')})`));
  const inNames = withLike(({ like }) => like);
  const inTexts = withLike(({ word, like }) => like.filter((each) => isForgivenInText(word, each)));
  const [found] = isMistyped ? await like(connection, [...values, inNames, inTexts]) : await typed(connection, values);
  return found ?? noMatches;
}

/**
 * The query is inlined in the condition, so that the planner knows how common its words are: for common words it scans rows
 * until there are enough, instead of building a list of all matches.
 * @param words the number of the query parameter
 * @param better the better tiers: if they have enough matches, this one is skipped
 */
function matching(column: 'names' | 'words', words: number, tier: number, better?: 'named' | 'text', isAsked = 'true') {
  const query = `to_tsquery('simple', $${words})`;
  const isEnough = better ? `and not ((select count(distinct product_id) from ${better}) >= ${maxInTier})` : '';
  return `(
    select product_id, ${tier} as tier, whole_names[1] as name
    from product_search where ${column} @@ ${query} and ${isAsked} ${isEnough}
    limit ${maxInTier}
  )`;
}

type BestPage = { order: string; size: number; page: number; isGrouped: boolean };

/**
 * The ids of a page of the matches, which are in `best`, and their numbers. With groups of sizes, a card stands where its
 * first size would, and shows the cheapest that can be bought. Their products are read in the table's order, not one by one.
 * @param numbers of the query parameters
 */
function pageOfBest({ order, isGrouped, ...numbers }: BestPage) {
  const limit = `limit $${numbers.size}::int offset $${numbers.page}::bigint * $${numbers.size}::int`;
  if (!isGrouped)
    return `(select count(*)::int from best) as total, (select count(*)::int from best) as cards,
      array(select product_id from best order by ${order} ${limit}) as ids`;
  return `total, cards, ids from (
    with placed as (
      select product_id, row_number() over (order by ${order}) as place from best
    ), matched as materialized (
      select id, size_group, price_cents, availability and quantity > 0 as is_sold
      from products where id = any (array(select product_id from best))
    ), shown as materialized (
      select min(place) as place, (array_agg(id order by not is_sold, price_cents, id))[1] as id
      from placed join matched on id = product_id
      group by coalesce(size_group, id)
    )
    select (select count(*)::int from best) as total, (select count(*)::int from shown) as cards,
      array(select id from shown order by place ${limit}) as ids
  ) as page`;
}

/** Moves a match in any of the names to a better tier if the main name has the words. */
const tierByName = (how: 'all' | 'any') => `case
  when tier > ${tierOf.otherPrefixes} then tier
  when name = $1 then ${tierOf.wholeName}
  when starts_with(name, $1 || ' ') then ${tierOf.startWords}
  when ' ' || name || ' ' like ${how} ($8::text[]) then ${tierOf.nameWords}
  when starts_with(name, $1) then ${tierOf.startLetters}
  when ' ' || name like ${how} ($9::text[]) then ${tierOf.namePrefixes}
  else tier end`;

const hasNoneOf = `($10::text[] = '{}' or not exists (
  select from products, unnest(allergens) as allergen where id = product_id and lower(allergen) = any ($10::text[])))`;

/** Not a named statement: a cached generic plan would not know how common the search words are. */
const matchesWith = (how: 'all' | 'any', likes: readonly string[], isGrouped: boolean) =>
  statement<Matches>(
    '',
    `with named as materialized (
      select product_id, ${tierOf.wholeOther} as tier, whole_names[1] as name from product_search
      where whole_names @> array[$1]
      union all ${matching('names', 2, tierOf.otherWords)} union all ${matching('names', 3, tierOf.otherPrefixes)}
    ), text as materialized (
      select * from named union all ${matching('words', 4, tierOf.text, 'named', '$5::boolean')}
    ), found as (${['select * from text', ...likes].join(' union all ')}
    ), nearest as (
      select distinct on (product_id) product_id, tier, name from found order by product_id, tier
    ), best as materialized (
      select product_id, name, ${tierByName(how)} as tier from nearest where ${hasNoneOf}
    )
    select
      (select count(*)::int from best where tier <= ${tierOf.otherPrefixes}) as "byName",
      ${pageOfBest({ order: 'tier, name collate "C", product_id', size: 6, page: 7, isGrouped })}`,
  );
const likes = [matching('names', 11, tierOf.likeName, 'text'), matching('words', 12, tierOf.likeText, 'text')];
const statementsOf = (how: 'all' | 'any', isGrouped: boolean) => ({
  typed: matchesWith(how, [], isGrouped),
  like: matchesWith(how, likes, isGrouped),
});
const statements = {
  all: { all: statementsOf('all', false), grouped: statementsOf('all', true) },
  any: { all: statementsOf('any', false), grouped: statementsOf('any', true) },
};

/** Products without these allergens, by name. @param without in lower case */
const withoutAllergens = (isGrouped: boolean) =>
  statement<Matches>(
    '',
    `with best as materialized (
      select product_id, whole_names[1] as name from product_search where not exists (
        select from products, unnest(allergens) as allergen where id = product_id and lower(allergen) = any ($1::text[]))
      limit ${maxInTier}
    )
    select 0 as "byName", ${pageOfBest({ order: 'name collate "C", product_id', size: 2, page: 3, isGrouped })}`,
  );
const withoutStatements = { all: withoutAllergens(false), grouped: withoutAllergens(true) };

export async function findWithout(connection: Connection, without: string[], { page, size, isGrouped }: SearchPage) {
  const [found] = await withoutStatements[isGrouped ? 'grouped' : 'all'](connection, [without, size, page]);
  return found ?? noMatches;
}

/** Words contain only letters and digits, so there is nothing to escape. */
const lexeme = (word: string) => `'${word}'`;
/**
 * Lists the words that start with it explicitly where possible: the index can then intersect them without collecting all
 * rows of a prefix, and the planner knows how common they are.
 */
const beginning = ({ word, begun }: SearchWord) =>
  begun ? `(${[...new Set([word, ...begun])].map(lexeme).join(' | ')})` : `('${word}' | '${word}':*)`;

const maxBegun = 30;

/**
 * The database folds the query with the same function as the indexed names and texts, so equal spellings always
 * match.
 */
const typedQuery = statement<{ whole: string; word: string; begun: string[] }>(
  'words_typed',
  `with typed as (select search_fold($1) as whole)
  select whole, word, array(
      select word from search_words
      where word ~>=~ each.word and word ~<~ (each.word || chr(1114111)) limit ${maxBegun + 1}
    ) as begun
  from typed, lateral (
    select word, min(place) as place from regexp_split_to_table(whole, ' ') with ordinality as parts (word, place)
    where word <> '' group by word order by min(place) limit $2::int
  ) as each order by place`,
);

/** @returns the folded words, each with all words that start with it, including itself; undefined if there are too many */
export async function findTyped(connection: Connection, text: string, maxWords: number): Promise<SearchTerms> {
  const rows = await typedQuery(connection, [text, maxWords]);
  const words = rows.map(({ word, begun }) => ({
    word,
    begun: begun.length > maxBegun ? undefined : begun,
    like: [],
  }));
  return { whole: rows[0]?.whole ?? '', words };
}

type Mistypable = { word: string; swapped: string[]; threshold: number };

/**
 * @param words each with its neighbor swaps and the minimum similarity
 * @returns the similar words of each word
 */
export async function findLikeWords(
  connection: Connection,
  words: readonly Mistypable[],
): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>(words.map(({ word }) => [word, []]));
  if (words.length === 0) return found;
  const typed = sql.join(
    [
      sql`${sql.param(words.map(({ word }) => word))}::text[]`,
      sql`${sql.param(words.map(({ swapped }) => swapped.join(' ')))}::text[]`,
      sql`${sql.param(words.map(({ threshold }) => threshold))}::real[]`,
    ],
    sql`, `,
  );
  const { rows } = await connection.execute<{ word: string; like: string }>(sql`
    select typed.word, near as "like" from unnest(${typed}) as typed (word, swapped, threshold),
      words_near(typed.word, string_to_array(typed.swapped, ' '), typed.threshold) as near`);
  for (const { word, like } of rows) found.get(word)?.push(like);
  return found;
}

/** For a text of symbols only: products with exactly these symbols in their names. @param signs parameter 1 */
const withSigns = (isGrouped: boolean) =>
  statement<Matches>(
    '',
    `with best as materialized (
      select id as product_id, created_at from products where archived_at is null and strpos(name, $1) > 0
      order by created_at, id limit ${maxInTier}
    )
    select (select count(*)::int from best) as "byName",
      ${pageOfBest({ order: 'created_at, product_id', size: 2, page: 3, isGrouped })}`,
  );
const signsStatements = { all: withSigns(false), grouped: withSigns(true) };

export async function findWithSigns(connection: Connection, signs: string, { page, size, isGrouped }: SearchPage) {
  if (signs === '' || signs.includes('\0')) return noMatches;
  const [found] = await signsStatements[isGrouped ? 'grouped' : 'all'](connection, [signs, size, page]);
  return found ?? noMatches;
}
