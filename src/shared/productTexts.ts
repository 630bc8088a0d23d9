/** The facts of a product (productFields.ts) as texts: in forms, in CSV files, for people. */
import { formatMoney, fromCents, toCents } from './money';
import { plainMoney } from './moneyInput';
import type { ProductField } from './productFields';

/** As the database has it. */
export type StoredFact = string | number | boolean | null | readonly string[];

/** @param value as it is stored @returns as the field of a form has it; empty: there is none */
export function textOfFact({ kind }: ProductField, value: StoredFact): string {
  if (value === null) return '';
  if (kind === 'money') return fromCents(Number(value)).toFixed(2);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** @param text as the field of a form has it @returns for people: '$4.50', 'Not taxable', 'empty' */
export function factInWords(field: ProductField, text: string): string {
  if (field.kind === 'flag') return field.words[text === 'true' ? 0 : 1];
  if (text === '') return 'empty';
  if (field.kind !== 'money') return text;
  const dollars = Number(plainMoney(text));
  return Number.isFinite(dollars) ? formatMoney(toCents(dollars)) : text;
}

/** @returns the same for texts that mean the same: '9.5' and '9.50', 'a,b' and 'a, b' */
export function plainText({ kind }: ProductField, text: string): string {
  if (kind === 'money') return plainMoney(text);
  if (kind !== 'list') return text.trim();
  return entriesOf(text).join();
}

/** The entries of a list that was typed with commas between them. */
export const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
