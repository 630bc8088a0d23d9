/** The forms of the back office's catalog. Rule: docs/rules/catalog.md, Product form */
import * as z from './zod';
import { requiredText } from './addressForms';
import { formatCount } from './counts';
import { plainAmount } from './amounts';
import { amountTextRule } from './moneyForms';
import { isNameRequired, isReasonRequired } from './required';
import { categoryNamePattern } from './catalog';
import { catalogLimits, staffLimits } from './catalogStaff';
import {
  maxListItems,
  priceSentence,
  productFields,
  type FieldOf,
  type ProductField,
  type ProductFieldName,
} from './productFields';
import { entriesOf } from './productTexts';

const isPrintable = (text: string) => !text.includes('\0');
const unprintable = "Remove the character that can't be printed";
const text = (maxLength: number, sentence: string) =>
  requiredText(maxLength, sentence).refine(isPrintable, unprintable);

const optionalText = (maxLength: number, check?: { accepts: (text: string) => boolean; sentence: string }) =>
  z
    .string()
    .trim()
    .max(maxLength, `Use ${maxLength} characters or fewer`)
    .refine(isPrintable, unprintable)
    .refine((text) => text === '' || !check || check.accepts(text), check?.sentence ?? '')
    .optional();

export const categoryForm = z.object({
  name: z
    .string(isNameRequired)
    .min(1, { error: isNameRequired, abort: true })
    .regex(categoryNamePattern, 'Use up to 40 lowercase letters, numbers, and hyphens'),
  description: text(catalogLimits.categoryDescription, 'Enter a description'),
  title: optionalText(catalogLimits.categoryTitle).nullable(),
});

const wholeUnits = `Enter a whole number from 0 to ${formatCount(catalogLimits.quantity)}`;
const chosen = (allowed: RegExp, sentence: string) => z.string(sentence).regex(allowed, sentence);

const maxCents = 9_999_999;

type FactRules = {
  [Name in ProductFieldName]: FieldOf<Name> extends { kind: 'list' }
    ? ReturnType<typeof listOf>
    : FieldOf<Name> extends { isRequired: true }
      ? z.ZodType<string>
      : z.ZodOptional<z.ZodType<string>>;
};

function ruleOf(field: ProductField): z.ZodType {
  const { isRequired: mustBe = false } = field;
  switch (field.kind) {
    case 'text':
      if (mustBe) return text(field.maxLength, `Enter a ${field.label.toLowerCase()}`);
      return optionalText(field.maxLength, field.check);
    case 'money':
      return mustBe ? priceOf(field) : amountTextRule(maxCents, field.sentence, { mayBeEmpty: true }).optional();
    case 'flag':
      return mustBe ? chosen(/^(?:true|false)$/, field.sentence) : optionalMatch(/^(?:true|false)?$/, field.sentence);
    case 'level':
      return levelUpTo(field.most, field.sentence);
    case 'amount':
      return amountOf(field);
    case 'choice':
      return optionOf(field);
    case 'month':
      return optionalMatch(/^(?:\d{4}-(?:0[1-9]|1[0-2]))?$/, field.sentence);
    default:
      return listOf(field.maxLength);
  }
}

const levelUpTo = (most: number, sentence: string) =>
  z
    .string()
    .refine((text) => /^\d?$/.test(text) && Number(text) <= most, sentence)
    .optional();

const amountOf = ({ unit, most, sentence }: ProductField & { kind: 'amount' }) =>
  z
    .string()
    .transform((text) => plainAmount(text.trim(), unit))
    .refine((text) => text === '' || (/^[1-9]\d*$/.test(text) && Number(text) <= most), sentence)
    .optional();

const optionOf = ({ choices, sentence }: ProductField & { kind: 'choice' }) =>
  z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .refine((text) => text === '' || Object.hasOwn(choices, text), sentence)
    .optional();

const optionalMatch = (allowed: RegExp, sentence: string) => z.string().regex(allowed, sentence).optional();

const priceOf = ({ sentence, isAboveZero }: ProductField & { kind: 'money' }) =>
  z
    .string(sentence)
    .pipe(amountTextRule(maxCents, sentence))
    .refine((price) => !isAboveZero || Number(price) > 0, 'Price must be at least $0.01');

/** A list arrives as a repeated field or as one comma-separated text; the result is an array. */
function listOf(maxLength: number) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((texts) => [texts].flat().flatMap(entriesOf))
    .refine((items) => items.length <= maxListItems, `Use ${maxListItems} entries or fewer`)
    .refine((items) => items.every((item) => item.length <= maxLength), {
      error: `Use ${maxLength} characters or fewer for each`,
    })
    .refine((items) => items.every(isPrintable), unprintable)
    .optional();
}

const facts = Object.fromEntries(
  Object.entries(productFields).map(([name, field]) => [name, ruleOf(field)]),
) as FactRules;
const quantity = z
  .string(wholeUnits)
  .regex(/^\d{1,7}$/, { error: wholeUnits, abort: true })
  .refine((units) => Number(units) <= catalogLimits.quantity, wholeUnits);

/** JSON may also have numbers, and null for none. */
const asText = (rule: z.ZodType<string | undefined>) =>
  z.preprocess((value) => (typeof value === 'number' ? String(value) : value === null ? '' : value), rule).optional();

const { unitSize, netGrams, netMillilitres, sku, barcode, shippingGrams, price, compareAtPrice } = facts;
const isNeeded = { price: priceSentence, quantity: wholeUnits };

/** A further size. What was not sent stays as it is; a new one needs a price and a quantity. */
const sizeForm = z
  .looseObject({
    unitSize: asText(unitSize),
    netGrams: asText(netGrams),
    netMillilitres: asText(netMillilitres),
    sku: asText(sku),
    barcode: asText(barcode),
    shippingGrams: asText(shippingGrams),
    price: asText(price),
    compareAtPrice: asText(compareAtPrice),
    quantity: asText(quantity),
  })
  .superRefine((size, check) => {
    for (const field of ['price', 'quantity'] as const)
      if (size['id'] === undefined && size[field] === undefined)
        check.addIssue({ code: 'custom', path: [field], message: isNeeded[field] });
    // without a new price, the server compares with the present one
    const compared = size.price === undefined ? { ...size, compareAtPrice: undefined } : size;
    for (const { field, message } of mistakesBetween(compared))
      check.addIssue({ code: 'custom', path: [field], message });
  });

/** Every field is text, as in a multipart form; the rules come from the table of product fields. */
const anyProductForm = z.object({
  ...facts,
  category: text(40, 'Choose a category'),
  quantity,
  sizes: z.array(sizeForm).optional(),
});

/** Rules about two fields; staff may send only one of them, so they are checked again with the product (productForms.ts). */
export const productForm = anyProductForm.superRefine((form, check) => {
  for (const { field, message } of mistakesBetween(form)) check.addIssue({ code: 'custom', path: [field], message });
});

/** What the form sends. */
export type SentProduct = z.output<typeof productForm>;

type Pair = { [Name in 'price' | 'compareAtPrice' | 'netGrams' | 'netMillilitres']?: unknown };

/** @param form with amounts of money in any one unit */
export function mistakesBetween(form: Pair): { field: keyof Pair; message: string }[] {
  const { price, compareAtPrice, netGrams, netMillilitres } = form;
  const mistakes: { field: keyof Pair; message: string }[] = [];
  if (compareAtPrice && !(Number(compareAtPrice) > Number(price)))
    mistakes.push({ field: 'compareAtPrice', message: 'Enter more than the price, or leave it blank' });
  if (netGrams && netMillilitres)
    mistakes.push({ field: 'netMillilitres', message: 'Enter a weight or a volume, not both' });
  return mistakes;
}

/** A manual stock correction. Rule: docs/rules/catalog.md, Stock */
export const stockForm = z.object({ reason: text(staffLimits.stockReason, isReasonRequired) });
