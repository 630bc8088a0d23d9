/** The forms of the back office's catalog. Source: specification §5; decisions §4 */
import * as z from 'zod';
import { isRequired, requiredText } from './addressForms';
import { catalogLimits, categoryNamePattern } from './catalog';

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

const wholeUnits = `Please enter a whole number from 0 to ${catalogLimits.quantity}`;

/** Every field as the text that a multipart form carries. */
export const productForm = z.object({
  name: text(catalogLimits.productName),
  description: text(catalogLimits.productDescription),
  price: z
    .string(isRequired)
    .min(1, { error: isRequired, abort: true })
    .regex(/^\d{1,5}(?:\.\d{1,2})?$/, { error: 'Please enter a price such as 4.50', abort: true })
    // nothing can be paid that costs nothing: the order would never leave the checkout
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
  unitSize: z.string().refine(printable, unprintable).optional(),
  origin: z.string().refine(printable, unprintable).optional(),
});
