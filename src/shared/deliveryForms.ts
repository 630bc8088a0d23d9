/** The form of a delivery method. Rule: docs/rules/selling.md, Delivery methods */
import * as z from './zod';
import { requiredText, ruledText, textRules } from './addressForms';
import { deliveryLimits, deliveryMessages } from './delivery';
import { amountRule } from './moneyForms';
import { isNameRequired } from './required';

const isNothing = (entered: unknown) => entered === null || (typeof entered === 'string' && entered.trim() === '');

export const deliveryMethodForm = z.object({
  name: requiredText(deliveryLimits.name, isNameRequired).transform((text) =>
    text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
  ),
  description: ruledText(textRules(deliveryLimits.description), z.string().trim()).exactOptional(),
  price: amountRule(0, deliveryLimits.priceCents, deliveryMessages.price),
  freeFrom: z
    .preprocess(
      (entered) => (isNothing(entered) ? null : entered),
      amountRule(1, deliveryLimits.freeFromCents, deliveryMessages.freeFrom).nullable(),
    )
    .optional(),
  states: z.array(z.string(), deliveryMessages.states).min(1, deliveryMessages.states).nullable().exactOptional(),
});
