/** The form of a discount code. Rule: docs/rules/selling.md, Discount codes */
import * as z from './zod';
import { isFilled, ruledText, textRules } from './addressForms';
import { discountLimits } from './discounts';
import { parseCode } from './pastedCodes';
import { discountFormMessages as messages } from './discountsStaff';
import { amountRule } from './moneyForms';
import { isCodeRequired } from './required';
import { nextDay, startOfDay } from './shopDays';

const maxCents = 9_999_999;

const wholeNumber = (most: number, sentence: string) =>
  z.number(sentence).int(sentence).min(1, sentence).max(most, sentence);
const dollars = amountRule(1, maxCents, messages.amount);
const uses = wholeNumber(discountLimits.uses, messages.uses).nullish();

const fields = {
  // ruledText instead of zod's own checks, so that the checks of the whole form run too
  code: ruledText(
    [
      [isFilled, isCodeRequired],
      [(text) => parseCode(text) !== undefined, messages.code],
    ],
    z.string(isCodeRequired).trim(),
  ).transform((text) => parseCode(text) ?? text),
  kind: z.enum(['percent', 'amount', 'free_delivery'], messages.kind),
  percent: wholeNumber(discountLimits.percent, messages.percent).nullish(),
  amount: dollars.nullish(),
  minimum: dollars.nullish(),
  maxUses: uses,
  maxUsesPerCustomer: uses,
  categoryIds: z
    .array(z.string())
    .min(1, messages.categories)
    .max(discountLimits.categories, `Choose ${discountLimits.categories} categories or fewer`)
    .nullish(),
  note: ruledText(textRules(discountLimits.note), z.string().trim()).optional(),
  isActive: z.boolean().optional(),
};

type CheckedFields = {
  kind: 'percent' | 'amount' | 'free_delivery';
  percent?: number | null | undefined;
  amount?: number | null | undefined;
  startsAt?: string | null | undefined;
  endsAt?: string | null | undefined;
};

/** Runs the check even if other fields have errors, so that all errors are shown together. */
const always = { when: () => true };

const hasValueFor =
  (kind: 'percent' | 'amount') =>
  (form: CheckedFields | undefined): boolean =>
    form?.kind !== kind || (form[kind] ?? null) !== null;

const endsAfterStart = (form: CheckedFields | undefined): boolean =>
  !form?.startsAt || !form.endsAt || Date.parse(form.startsAt) < Date.parse(form.endsAt);

/** The form must state the discount's value, and the code must not end before it starts. */
const withFormChecks = <Rules extends z.ZodType<CheckedFields>>(form: Rules) =>
  form
    .refine(hasValueFor('percent'), { path: ['percent'], error: messages.percent, ...always })
    .refine(hasValueFor('amount'), { path: ['amount'], error: messages.amount, ...always })
    .refine(endsAfterStart, { path: ['endsAt'], error: messages.order, ...always });

const moment = z.iso.datetime({ offset: true, error: messages.time }).nullish();

/** The form as sent: money in US dollars, times as timestamps. */
export const discountForm = withFormChecks(z.object({ ...fields, startsAt: moment, endsAt: moment }));

/**
 * The form as staff fill it in: the first and the last day in the shop's time zone, empty for none.
 * @param timeZone of the shop
 */
export function discountDaysForm(timeZone: string) {
  const day = z
    .string()
    .regex(/^(?:20\d\d-\d\d-\d\d)?$/, messages.time)
    .refine((text) => text === '' || !Number.isNaN(Date.parse(text)), messages.time);
  const asMoment = (text: string) => (text === '' ? null : startOfDay(text, timeZone).toISOString());
  return withFormChecks(
    z.object({
      ...fields,
      startsAt: day.transform(asMoment),
      endsAt: day.transform((text) => asMoment(text === '' ? '' : nextDay(text))),
    }),
  );
}
