/** The forms of the back office's catalog. Rule: docs/rules/catalog.md, Product form */
import * as z from './zod';
import { requiredText } from './addressForms';
import { formatCount } from './counts';
import { amountTextRule } from './moneyForms';
import { isNameRequired, isReasonRequired } from './required';
import { catalogLimits, categoryNamePattern } from './catalog';
import { staffLimits } from './catalogStaff';
import { maxListItems, productFields, type FieldOf, type ProductField, type ProductFieldName } from './productFields';
import { entriesOf } from './productTexts';

const isPrintable = (text: string) => !text.includes('\0');
const unprintable = "Remove the character that can't be printed";
const text = (maxLength: number, sentence: string) =>
  requiredText(maxLength, sentence).refine(isPrintable, unprintable);

const optionalText = (maxLength: number) =>
  z.string().trim().max(maxLength, `Use ${maxLength} characters or fewer`).refine(isPrintable, unprintable).optional();

export const categoryForm = z.object({
  name: z
    .string(isNameRequired)
    .min(1, { error: isNameRequired, abort: true })
    .regex(categoryNamePattern, 'Use up to 40 lowercase letters, numbers, and hyphens'),
  description: text(catalogLimits.categoryDescription, 'Enter a description'),
  title: optionalText(catalogLimits.categoryTitle).nullable(),
});

/** @returns the URL name that a title suggests: 'herbal-teas' for 'Herbal Teas' */
export const nameFromTitle = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '');

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
      return mustBe ? text(field.maxLength, `Enter a ${field.label.toLowerCase()}`) : optionalText(field.maxLength);
    case 'money':
      return mustBe ? priceOf(field) : amountTextRule(maxCents, field.sentence, { mayBeEmpty: true }).optional();
    case 'flag':
      return mustBe ? chosen(/^(?:true|false)$/, field.sentence) : optionalMatch(/^(?:true|false)?$/, field.sentence);
    case 'level':
      return levelUpTo(field.most, field.sentence);
    default:
      return listOf(field.maxLength);
  }
}

const levelUpTo = (most: number, sentence: string) =>
  z
    .string()
    .refine((text) => /^\d?$/.test(text) && Number(text) <= most, sentence)
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

/** Every field is text, as in a multipart form; the rules come from the table of product fields. */
export const productForm = z.object({
  ...(Object.fromEntries(Object.entries(productFields).map(([name, field]) => [name, ruleOf(field)])) as FactRules),
  category: text(40, 'Choose a category'),
  quantity: z
    .string(wholeUnits)
    .regex(/^\d{1,7}$/, { error: wholeUnits, abort: true })
    .refine((units) => Number(units) <= catalogLimits.quantity, wholeUnits),
});
/** A manual stock correction. Rule: docs/rules/catalog.md, Stock */
export const stockForm = z.object({ reason: text(staffLimits.stockReason, isReasonRequired) });
