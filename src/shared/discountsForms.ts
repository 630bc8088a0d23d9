/** The form of a discount code. Rule: docs/rules/selling.md, Discount codes */
import * as z from './zod';
import { ruledText, textRules } from './addressForms';
import { discountLimits, parseCode } from './discounts';
import { discountFormSays as says } from './discountsStaff';
import { toCents } from './money';
import { isRequired } from './required';
import { nextDay, startOfDay } from './shopDays';

const maxDollars = 99_999.99;

const wholeNumber = (most: number, sentence: string) =>
  z.number(sentence).int(sentence).min(1, sentence).max(most, sentence);
const dollars = z
  .number(says.amount)
  .min(0.01, says.amount)
  .max(maxDollars, says.amount)
  .refine((amount) => amount === toCents(amount) / 100, says.amount);
const uses = wholeNumber(discountLimits.uses, says.uses).nullish();

const fields = {
  code: z
    .string(isRequired)
    .trim()
    .min(1, { error: isRequired, abort: true })
    .transform((text, context) => {
      const code = parseCode(text);
      if (code) return code;
      context.addIssue(says.code);
      return z.NEVER;
    }),
  kind: z.enum(['percent', 'amount', 'free_delivery'], says.kind),
  percent: wholeNumber(discountLimits.percent, says.percent).nullish(),
  amount: dollars.nullish(),
  minimum: dollars.nullish(),
  maxUses: uses,
  maxUsesPerCustomer: uses,
  categoryIds: z
    .array(z.string())
    .min(1, says.categories)
    .max(discountLimits.categories, `Please use no more than ${discountLimits.categories} categories`)
    .nullish(),
  note: ruledText(textRules(discountLimits.note), z.string().trim()).optional(),
  isActive: z.boolean().optional(),
};

type Checked = {
  kind: 'percent' | 'amount' | 'free_delivery';
  percent?: number | null | undefined;
  amount?: number | null | undefined;
  startsAt?: string | null | undefined;
  endsAt?: string | null | undefined;
};

/** What it gives must be said, and it must not end before it starts. */
function checkTogether({ kind, percent, amount, startsAt, endsAt }: Checked, context: z.RefinementCtx): void {
  const wrong = (field: keyof Checked, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (kind === 'percent' && typeof percent !== 'number') wrong('percent', says.percent);
  if (kind === 'amount' && typeof amount !== 'number') wrong('amount', says.amount);
  if (startsAt && endsAt && Date.parse(startsAt) >= Date.parse(endsAt)) wrong('endsAt', says.order);
}

const moment = z.iso.datetime({ offset: true, error: says.time }).nullish();

/** As it is sent: money in US dollars, times as moments. */
export const discountForm = z.object({ ...fields, startsAt: moment, endsAt: moment }).superRefine(checkTogether);

/**
 * As staff fill it in: the first and the last day on the shop's clock, empty for none.
 * @param timeZone the shop's
 */
export function discountDaysForm(timeZone: string) {
  const day = z
    .string()
    .regex(/^(?:20\d\d-\d\d-\d\d)?$/, says.time)
    .refine((text) => text === '' || !Number.isNaN(Date.parse(text)), says.time);
  const asMoment = (text: string) => (text === '' ? null : startOfDay(text, timeZone).toISOString());
  return z
    .object({
      ...fields,
      startsAt: day.transform(asMoment),
      endsAt: day.transform((text) => asMoment(text === '' ? '' : nextDay(text))),
    })
    .superRefine(checkTogether);
}
