import { useState } from 'react';
import { minOrderCents } from '../../../shared/orders';
import { discountStaffMessages } from '../../../shared/discountsStaff';
import { parseCode } from '../../../shared/pastedCodes';
import { formatMoney, toCents } from '../../../shared/money';
import { startOfDay, nextDay } from '../../../shared/shopDays';
import { type DiscountTerms, totalOf } from '../../../shared/total';
import form from '../ui/form.module.css';
import type { DiscountValues } from './discountValues';
import styles from './discounts.module.css';
import { firstError } from './discountText';

const sampleCents = 3_180;
const sampleDelivery = { priceCents: 650, freeFromCents: null };

/**
 * The code's effect on a cart of $31.80 (or of the minimum, if that is higher), and the first condition that can reject
 * it.
 */
export function CustomerView({ values, timeZone }: { values: DiscountValues; timeZone: string }) {
  const [now] = useState(() => new Date());
  const code = parseCode(values.code) ?? 'CODE';
  const discount = termsOf(values);
  const minimum = centsOf(values.minimum);
  const total = totalOf({
    lines: [{ cents: Math.max(sampleCents, minimum ?? 0), isTaxable: false, isEligible: true }],
    discount,
    delivery: values.kind === 'free_delivery' ? sampleDelivery : null,
    tax: null,
  });
  const taken = `−${formatMoney(total.discountCents)}`;
  const rejection = firstError(conditionsOf(values, timeZone), { now, timeZone });
  return (
    <section className={form['box']} aria-labelledby="customer-view">
      <h2 id="customer-view" className={form['heading']}>
        What customers see
      </h2>
      <p className={styles['muted']}>After they apply it, in the Cart Summary:</p>
      <div className={styles['sample']}>
        <span className={styles['chip']}>{values.kind === 'free_delivery' ? code : `${code} ${taken}`}</span>
        <dl className={styles['totals']}>
          <div>
            <dt>Subtotal</dt>
            <dd>{formatMoney(total.goodsCents)}</dd>
          </div>
          {values.kind === 'free_delivery' ? (
            <div>
              <dt>Delivery</dt>
              <dd className={styles['minus']}>Free</dd>
            </div>
          ) : (
            <div>
              <dt>Discount ({code})</dt>
              <dd className={styles['minus']}>{taken}</dd>
            </div>
          )}
        </dl>
      </div>
      {rejection && <p className={styles['muted']}>{rejection}</p>}
      {takesAll(discount, minimum ?? 0) && <output>{discountStaffMessages.takesAll}</output>}
    </section>
  );
}

/** Whether the code can reduce an order below the smallest amount that can be charged. */
const takesAll = (discount: DiscountTerms | null, minimumCents: number): boolean =>
  (discount?.kind === 'percent' && discount.percent === 100) ||
  (discount?.kind === 'amount' && minimumCents - discount.amountCents < minOrderCents);

/** Values that are not yet valid count as unset. */
const isWhole = (value: number | null, most: number): value is number =>
  value !== null && Number.isInteger(value) && value >= 1 && value <= most;
const centsOf = (dollars: number | string | null): number | null =>
  typeof dollars === 'number' && dollars > 0 && dollars < 100_000 ? toCents(dollars) : null;

function termsOf({ kind, percent, amount }: DiscountValues): DiscountTerms | null {
  if (kind === 'free_delivery') return { kind };
  if (kind === 'percent') return isWhole(percent, 100) ? { kind, percent } : null;
  const amountCents = centsOf(amount);
  return amountCents === null ? null : { kind, amountCents };
}

function conditionsOf(values: DiscountValues, timeZone: string) {
  const { minimum, maxUses, maxUsesPerCustomer, categoryIds, startsAt, endsAt } = values;
  const begins = (day: string) => (/^20\d\d-\d\d-\d\d$/.test(day) ? startOfDay(day, timeZone).toISOString() : null);
  return {
    minimum: typeof minimum === 'number' && centsOf(minimum) !== null ? minimum : null,
    maxUses: isWhole(maxUses, 1_000_000) ? maxUses : null,
    maxUsesPerCustomer: isWhole(maxUsesPerCustomer, 1_000_000) ? maxUsesPerCustomer : null,
    categoryIds,
    startsAt: begins(startsAt),
    endsAt: begins(endsAt && nextDay(endsAt)),
  };
}
