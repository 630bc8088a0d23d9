/** Form rules for typed amounts. Rule: docs/rules/screens.md, Money and dates */
import { toCents } from './money';
import { parseMoney, unclearMoney } from './moneyInput';
import * as z from './zod';

/**
 * An amount as typed ('$5.95') or as on the wire (5.95).
 * @param sentence for an invalid amount, or one outside the limits; both limits are in cents
 * @returns dollars
 */
export const amountRule = (leastCents: number, mostCents: number, sentence: string) =>
  z.union([z.number(sentence), z.string(sentence)], sentence).transform((entered, context): number => {
    const cents = typeof entered === 'number' ? wholeCents(entered) : parseMoney(entered);
    if (typeof cents === 'number' && cents >= leastCents && cents <= mostCents) return cents / 100;
    context.addIssue(cents === 'unclear' ? unclearMoney : sentence);
    return z.NEVER;
  });

const wholeCents = (dollars: number) => (dollars === toCents(dollars) / 100 ? toCents(dollars) : undefined);

/**
 * An amount that stays a text, as in a multipart form.
 * @returns '1250.00'
 */
export const amountTextRule = (mostCents: number, sentence: string, { mayBeEmpty = false } = {}) =>
  z.string().transform((entered, context): string => {
    if (mayBeEmpty && entered.trim() === '') return '';
    const cents = parseMoney(entered);
    if (typeof cents === 'number' && cents <= mostCents) return (cents / 100).toFixed(2);
    context.addIssue(cents === 'unclear' ? unclearMoney : sentence);
    return z.NEVER;
  });
