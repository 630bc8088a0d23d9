/** The form of a delivery method. Rule: docs/rules/selling.md, Delivery methods */
import * as z from './zod';
import { requiredText, ruledText, textRules } from './addressForms';
import { deliveryLimits, deliverySays } from './delivery';
import { toCents } from './money';
import { usStates } from './usStates';

const dollars = /^\d{1,6}(?:[.,]\d{1,2})?$/;

/** A sum as a field has it ('5.95', '5,95') or as the wire does; the result is dollars. */
const sum = (leastCents: number, mostCents: number, sentence: string) =>
  z.union([z.number(sentence), z.string(sentence)], sentence).transform((entered, context) => {
    const text = String(entered).trim();
    const amount = dollars.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
    if (toCents(amount) >= leastCents && toCents(amount) <= mostCents) return amount;
    context.addIssue(sentence);
    return z.NEVER;
  });

const isNothing = (entered: unknown) => entered === null || (typeof entered === 'string' && entered.trim() === '');
const codes: readonly string[] = usStates.map(({ code }) => code);

export const deliveryMethodForm = z.object({
  name: requiredText(deliveryLimits.name).transform((text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')),
  description: ruledText(textRules(deliveryLimits.description), z.string().trim()).exactOptional(),
  price: sum(0, deliveryLimits.priceCents, deliverySays.price),
  freeFrom: z
    .preprocess(
      (entered) => (isNothing(entered) ? null : entered),
      sum(1, deliveryLimits.freeFromCents, deliverySays.freeFrom).nullable(),
    )
    .optional(),
  states: z
    .array(z.string(), deliverySays.states)
    .min(1, deliverySays.states)
    .refine((states) => states.every((state) => codes.includes(state)), 'Please choose from the 50 states')
    .transform((states) => codes.filter((code) => states.includes(code)))
    .nullable()
    .exactOptional(),
});
