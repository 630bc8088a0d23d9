/** Formats product fields (productFields.ts) for forms, CSV files and display. */
import { formatMoney, fromCents, toCents } from './money';
import { plainMoney } from './moneyInput';
import type { ProductField } from './productFields';

/** The type of a field's value in the database. */
export type StoredFact = string | number | boolean | null | readonly string[];

/** @param value as stored @returns the text for a form field; empty if there is no value */
export function textOfFact({ kind }: ProductField, value: StoredFact): string {
  if (value === null) return '';
  if (kind === 'money') return fromCents(Number(value)).toFixed(2);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** @param text of a form field @returns the text for display: '$4.50', 'Not taxable', 'blank' */
export function factInWords(field: ProductField, text: string): string {
  if (field.kind === 'flag') return field.words[text === 'true' ? 0 : 1];
  if (text === '') return 'blank';
  if (field.kind !== 'money') return text;
  const dollars = Number(plainMoney(text));
  return Number.isFinite(dollars) ? formatMoney(toCents(dollars)) : text;
}

/** @returns a normal form, equal for texts with the same meaning: '9.5' and '9.50', 'a,b' and 'a, b' */
export function plainText({ kind }: ProductField, text: string): string {
  if (kind === 'money') return plainMoney(text);
  if (kind !== 'list') return text.trim();
  return entriesOf(text).join();
}

/** Splits a comma-separated list into its entries. */
export const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
