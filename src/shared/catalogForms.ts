/** The forms of the back office's catalog. Rule: docs/rules/catalog.md, Product form */
import * as z from './zod';
import { requiredText } from './addressForms';
import { amountTextRule } from './moneyForms';
import { isRequired } from './required';
import { catalogLimits, categoryNamePattern } from './catalog';
import { staffLimits } from './catalogStaff';
import type { Schema } from './contract';

const maxListItems = 20;

const printable = (text: string) => !text.includes('\0');
const unprintable = 'Please leave out the unprintable character';
const text = (maxLength: number) => requiredText(maxLength).refine(printable, unprintable);

export const categoryForm = z.object({
  name: z
    .string(isRequired)
    .min(1, { error: isRequired, abort: true })
    .regex(categoryNamePattern, 'Please use up to 40 small letters, digits and hyphens'),
  description: text(catalogLimits.categoryDescription),
  title: z.string().trim().max(catalogLimits.categoryTitle).refine(printable, unprintable).nullish(),
});

/** @returns the name in addresses that a title suggests: 'herbal-teas' for 'Herbal Teas' */
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

const wholeUnits = `Please enter a whole number from 0 to ${catalogLimits.quantity}`;
const optionalText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, `Please use no more than ${maxLength} characters`)
    .refine(printable, unprintable)
    .optional();

const maxCents = 9_999_999;

/** Every field is a text, as in a multipart form. */
export const productForm = z.object({
  name: text(catalogLimits.productName),
  description: text(catalogLimits.productDescription),
  price: z
    .string(isRequired)
    .min(1, { error: isRequired, abort: true })
    .pipe(amountTextRule(maxCents, 'Please enter a price such as 4.50'))
    // the provider takes no payment of $0.00, so such an order could never be paid
    .refine((price) => Number(price) > 0, 'The price must be at least $0.01'),
  availability: z
    .string(isRequired)
    .min(1, { error: isRequired, abort: true })
    .regex(/^(?:true|false)$/, 'Please choose whether it is available'),
  category: text(40),
  quantity: z
    .string(isRequired)
    .min(1, { error: isRequired, abort: true })
    .regex(/^\d{1,7}$/, { error: wholeUnits, abort: true })
    .refine((units) => Number(units) <= catalogLimits.quantity, wholeUnits),
  unitSize: optionalText(40),
  origin: optionalText(80),
  heatLevel: z
    .string()
    .regex(/^[0-5]?$/, 'Please choose a heat from 0 to 5')
    .optional(),
  allergens: listOf(40),
  otherNames: listOf(80),
  unitCost: z
    .string()
    .pipe(amountTextRule(maxCents, 'Please enter a cost such as 2.10', { mayBeEmpty: true }))
    .optional(),
  taxable: z
    .string()
    .regex(/^(?:true|false)?$/, 'Please choose whether it is taxed')
    .optional(),
} satisfies Record<Exclude<keyof Schema<'ProductForm'>, 'file' | 'quantityWas' | 'version'>, z.ZodType>);

/** A list is sent as a repeated field or as one with commas; the result is an array. */
function listOf(maxLength: number) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((texts) =>
      [texts]
        .flat()
        .flatMap((each) => each.split(','))
        .map((each) => each.trim())
        .filter(Boolean),
    )
    .refine((items) => items.length <= maxListItems, `Please use no more than ${maxListItems} entries`)
    .refine((items) => items.every((item) => item.length <= maxLength), {
      error: `Please use no more than ${maxLength} characters for each`,
    })
    .refine((items) => items.every(printable), unprintable)
    .optional();
}

/** A correction of the stock by hand. Rule: docs/rules/catalog.md, Stock */
export const stockForm = z.object({ reason: text(staffLimits.stockReason) });
