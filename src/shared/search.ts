/** Word comparison of server and device, which ignores case, accents and punctuation. Rule: docs/rules/catalog.md, Search */

/** @returns 'creme fraiche' for 'Crème Fraîche' */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(letters, (letter) => plainLetters[letter] ?? letter);

/** @returns the folded words of a text, in order */
export const wordsOf = (text: string): string[] => fold(text).split(notInWords).filter(Boolean);

/**
 * Tiers of matches, best first, on server and device: names before other names, before descriptions, before typos.
 * Within a tier, products are sorted by name, then id.
 */
export const tierOf = {
  wholeName: 0,
  startWords: 1,
  nameWords: 2,
  startLetters: 3,
  namePrefixes: 4,
  wholeOther: 5,
  otherWords: 6,
  otherPrefixes: 7,
  text: 8,
  likeName: 9,
  likeText: 10,
} as const;

/**
 * Words that people search for, and the allergen names on products that they mean. 'nut' means peanuts and tree nuts.
 * `withoutPhrase` must list the same words.
 */
const allergenWords: Record<string, readonly string[]> = {
  peanut: ['peanut'],
  groundnut: ['peanut'],
  nut: ['nut', 'peanut', 'tree nut', 'almond', 'cashew', 'hazelnut', 'macadamia', 'pecan', 'pistachio', 'walnut'],
  fish: ['fish'],
  crustacean: ['crustacean', 'crustacean shellfish'],
  shellfish: ['crustacean', 'crustacean shellfish', 'mollusc', 'mollusk', 'molluscan shellfish', 'shellfish'],
  celery: ['celery'],
  mustard: ['mustard'],
  sesame: ['sesame'],
  soy: ['soy', 'soya'],
  milk: ['milk'],
  dairy: ['milk'],
  egg: ['egg'],
  wheat: ['wheat', 'gluten'],
  gluten: ['gluten', 'wheat'],
};
const withoutPhrase =
  /(?<![\p{L}\p{N}])(?:(?:no|without|free[\s-]+of|free[\s-]+from)[\s-]+(peanut|groundnut|nut|fish|crustacean|shellfish|celery|mustard|sesame|soy|milk|dairy|egg|wheat|gluten)s?|(peanut|groundnut|nut|fish|crustacean|shellfish|celery|mustard|sesame|soy|milk|dairy|egg|wheat|gluten)s?[\s-]*free)(?![\p{L}\p{N}])/giu;

/** @returns the text without phrases such as 'no peanut', and the allergens to exclude, in lower case */
export function readSearch(text: string): { rest: string; without: string[] } {
  const without = new Set<string>();
  const rest = text.replace(withoutPhrase, (_phrase, before?: string, after?: string) => {
    for (const name of allergenWords[(before ?? after ?? '').toLowerCase()] ?? []) without.add(name).add(`${name}s`);
    return ' ';
  });
  return { rest, without: [...without] };
}

/** Combining accents, apostrophes, and letters used as apostrophes, as in Hawaiʻi. */
const marks = /[\p{M}'‘’‛\u02B9-\u02D7\u02EC-\u02FF]/gu;
/** Letters that NFKD does not decompose; the database's `unaccent` replaces the same ones. */
const plainLetters: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
};
const letters = /[æœøßłđðþħıŋ]/g;
const notInWords = /[^\p{L}\p{N}]+/u;

export const searchMessages = {
  searchProducts: { success: 'Products found', failure: "Couldn't search products. Try again." },
  title: 'Search',
  field: 'Search products',
  placeholder: 'Search name, ingredient, or dish',
  close: 'Close search',
  results: 'Results',
  count: (products: number) => (products === 1 ? '1 result' : `${products} results`),
  worksOffline: 'Search works offline, too.',
  seeAll: 'See all',
  recent: 'Recent',
  clear: 'Clear',
  forget: (text: string) => `Remove ${text} from recent searches`,
  popular: 'Popular',
  hint: 'Search by name, ingredient, or dish',
} as const;
