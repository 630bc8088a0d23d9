/** Server and device compare words without case, accents and punctuation. Rule: docs/rules/catalog.md, Search */

/** @returns 'creme fraiche' for 'Crème Fraîche' */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(letters, (letter) => plainLetters[letter] ?? letter);

/** @returns the folded words of a text, in its order */
export const wordsOf = (text: string): string[] => fold(text).split(notInWords).filter(Boolean);

/** Marks of accents, apostrophes, and letters that stand for one, as in Hawaiʻi. */
const marks = /[\p{M}'‘’‛\u02B9-\u02D7\u02EC-\u02FF]/gu;
/** Letters that NFKD does not take apart; the database's `unaccent` replaces the same ones. */
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

export const searchSays = {
  searchProducts: { success: 'Products found', failure: 'Failed to search products' },
  title: 'Search',
  field: 'Search products',
  close: 'Close search',
  results: 'Results',
  count: (products: number) => (products === 1 ? '1 result.' : `${products} results.`),
  worksOffline: 'Search works offline on saved products.',
  seeAll: 'See all',
  hint: 'Type the name of a product, or what it tastes of.',
} as const;
