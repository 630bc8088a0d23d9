/** Formats product fields (productFields.ts) for forms, CSV files and display. */
import { formatMoney, fromCents, toCents } from './money';
import { plainMoney } from './moneyInput';
import { type AmountUnit, parseAmount, plainAmount } from './amounts';
import { formatCount } from './counts';
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
  if (field.kind === 'choice') return field.choices[text] ?? text;
  if (field.kind === 'month') return monthInWords(text);
  if (field.kind === 'amount') return amountInWords(text, field.unit);
  if (field.kind !== 'money') return text;
  const dollars = Number(plainMoney(text));
  return Number.isFinite(dollars) ? formatMoney(toCents(dollars)) : text;
}

/** @returns 'May 2028' for '2028-05' */
const monthInWords = (month: string): string =>
  /^\d{4}-\d\d$/.test(month)
    ? new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
        month: 'short',
        year: 'numeric',
        timeZone: 'UTC',
      })
    : month;

function amountInWords(text: string, unit: AmountUnit): string {
  const amount = parseAmount(text, unit);
  return amount === undefined ? text : `${formatCount(amount)} ${unit}`;
}

/** @returns a normal form, equal for texts with the same meaning: '9.5' and '9.50', 'a,b' and 'a, b' */
export function plainText(field: ProductField, text: string): string {
  if (field.kind === 'money') return plainMoney(text);
  if (field.kind === 'amount') return plainAmount(text, field.unit);
  if (field.kind !== 'list') return text.trim();
  return entriesOf(text).join();
}

/** Splits a comma-separated list into its entries. */
export const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
