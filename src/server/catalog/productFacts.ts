/** Converts product facts between form, database row and response, as defined by `productFields`. */
import { productFieldNames, productFields, columnOf, type ProductField } from '../../shared/productFields';
import { textOfFact, type StoredFact } from '../../shared/productTexts';
import type { Schema } from '../../shared/contract';
import { fromCents, toCents } from '../../shared/money';
import type { ProductFacts } from './repository';

type Form = Schema<'ProductForm'>;
/** The facts as stored in the database. */
export type StoredFacts = Omit<ProductFacts, 'categoryId'>;
type Stored = Readonly<Record<string, StoredFact>>;

/** Every field of the form except quantity, picture, and the fields that detect concurrent changes. */
export type ProductText = Record<Exclude<keyof Form, 'quantity' | 'quantityWas' | 'version' | 'file'>, string>;

/** @param before the current product: fields that were not sent keep its values, or for a new product are empty or on */
export function factsOf(form: Form, before?: StoredFacts): StoredFacts {
  const facts = productFieldNames.map((name) => {
    const column = columnOf(name);
    const field = productFields[name];
    const sent = form[name];
    if (sent !== undefined) return [column, storedOf(field, sent)];
    return [column, before ? (before as Stored)[column] : whenNotSent(field)];
  });
  return Object.fromEntries(facts) as StoredFacts;
}

function storedOf(field: ProductField, sent: unknown): unknown {
  if (field.kind === 'money') return sent === '' ? null : toCents(Number(sent));
  if (field.kind !== 'text') return sent === '' ? null : sent;
  return withLineFeeds(String(sent).trim()) || null;
}

const whenNotSent = ({ kind }: ProductField) => {
  if (kind === 'flag') return true;
  return kind === 'list' ? [] : null;
};

/** @param category its name */
export function asForm(facts: StoredFacts, category: string): ProductText {
  const texts = productFieldNames.map((name) => [name, withLineFeeds(textOf(name, facts))]);
  return { ...(Object.fromEntries(texts) as Omit<ProductText, 'category'>), category };
}

const textOf = (name: (typeof productFieldNames)[number], facts: StoredFacts): string =>
  textOfFact(productFields[name], (facts as Stored)[columnOf(name)] ?? null);

/**
 * @returns the facts for a response, with amounts of money in dollars; an empty one only if responses always have it
 * @param isForStaff includes the fields for staff
 */
export function presentFacts(facts: StoredFacts, isForStaff: boolean): Stored {
  const shown = productFieldNames.flatMap((name) => {
    const field = productFields[name];
    if (field.isForStaff && !isForStaff) return [];
    const stored = (facts as Stored)[columnOf(name)] ?? null;
    if (isEmpty(stored) && !field.isAlwaysSent && !field.isRequired) return [];
    return [[name, field.kind === 'money' && stored !== null ? fromCents(Number(stored)) : stored]];
  });
  return Object.fromEntries(shown) as Stored;
}

const isEmpty = (stored: StoredFact) => stored === null || (Array.isArray(stored) && stored.length === 0);

/** Converts the texts of a validated form to the contract's types. An empty optional flag leaves the value unchanged. */
export function formOfTexts(texts: Readonly<Record<string, unknown>>): Omit<Form, 'quantity' | 'category'> {
  const values = productFieldNames.flatMap((name) => {
    const text = texts[name];
    const { kind } = productFields[name];
    if (text === undefined || (kind === 'flag' && text === '')) return [];
    if (kind === 'flag') return [[name, text === 'true']];
    if (kind === 'level' || kind === 'amount') return [[name, text === '' ? null : Number(text)]];
    return [[name, text]];
  });
  return Object.fromEntries(values) as Omit<Form, 'quantity' | 'category'>;
}

/** Normalizes line endings for storage and comparison. Browsers send CR LF. */
export const withLineFeeds = (text: string) => text.replaceAll(/\r\n?/g, '\n');
