/** Builds a row of the shop's own columns from a product of another shop. */
import { entriesOf } from '../../shared/productTexts';
import { parseAmount } from '../../shared/amounts';
import { isBarcode } from '../../shared/barcodes';
import { importNotes } from '../../shared/imports';
import { parseMoney } from '../../shared/moneyInput';
import { maxListItems, productFields } from '../../shared/productFields';
import type { RowExtras } from '../db/schema/imports';
import { wholeNumber, type ImportedRow } from './rows';

export type Draft = ReturnType<typeof createDraft>;

/** The methods leave out what this shop can't take and say so in a note. */
export function createDraft(line: number, key: string, places: RowExtras['places']) {
  const row: ImportedRow = { line, key, places, cells: new Map(), photos: [], notes: [] };
  const note = (text: string) => {
    if (!row.notes.includes(text)) row.notes.push(text);
  };
  return {
    row,
    note,
    set: (field: string, text: string): void => void row.cells.set(field, text.trim()),
    /** A former price counts only above the price. */
    setPrices(price: string, formerPrice: string): void {
      row.cells.set('price', price);
      const [cents, former] = [parseMoney(price), parseMoney(formerPrice)];
      const isSale = typeof cents === 'number' && typeof former === 'number' && former > cents;
      row.cells.set('compareAtPrice', isSale ? formerPrice : '');
    },
    setStock(text: string): void {
      const units = wholeNumber(text);
      if (units === '') note(importNotes.stockNotCounted);
      if (/^-\d+$/.test(units)) note(importNotes.stockBelowZero);
      row.cells.set('quantity', units === '' || units.startsWith('-') ? '0' : units);
    },
    setBarcode(text: string): void {
      const digits = text.replaceAll(/[\s-]/g, '');
      if (digits !== '' && !isBarcode(digits)) note(importNotes.barcode(text.slice(0, 40)));
      row.cells.set('barcode', isBarcode(digits) ? digits : '');
    },
    setTags(text: string): void {
      const tags = entriesOf(text);
      const kept = tags.filter((each) => each.length <= longestTag).slice(0, maxListItems);
      if (kept.length < tags.length) note(importNotes.tags);
      row.cells.set('tags', kept.join(', '));
    },
    setPageTitle(text: string): void {
      if (text.length > longestTitle) note(importNotes.pageTitle);
      row.cells.set('pageTitle', text.length > longestTitle ? '' : text);
    },
    /** @param weight with its unit, such as '60 g' */
    setShippingWeight(weight: string): void {
      row.cells.set('shippingGrams', String(parseAmount(weight, 'g') ?? ''));
    },
    /** @param values of the options, such as a size and a grind */
    setSize(values: readonly string[]): void {
      row.cells.set('unitSize', values.join(' / '));
      const { netGrams = '', netMillilitres = '' } = netAmountOf(values);
      row.cells.set('netGrams', netGrams);
      row.cells.set('netMillilitres', netMillilitres);
    },
  };
}

const lengthOf = (field: 'tags' | 'pageTitle') => {
  const { kind, ...rest } = productFields[field];
  return (kind === 'list' || kind === 'text') && 'maxLength' in rest ? rest.maxLength : Infinity;
};
const longestTag = lengthOf('tags');
const longestTitle = lengthOf('pageTitle');

/** @returns the first value that reads as a weight or volume: '2 oz', '60 g', '8 fl oz' */
export function netAmountOf(values: readonly string[]): { netGrams?: string; netMillilitres?: string } {
  for (const value of values.filter((each) => /[a-z]/i.test(each))) {
    const netGrams = parseAmount(value, 'g');
    if (netGrams !== undefined) return { netGrams: String(netGrams) };
    const netMillilitres = parseAmount(value, 'ml');
    if (netMillilitres !== undefined) return { netMillilitres: String(netMillilitres) };
  }
  return {};
}

/** @returns the last part of a path of categories: 'Spices' for 'Food > Seasonings > Spices' */
export const lastOfPath = (path: string): string => path.split('>').at(-1)?.trim() ?? '';
