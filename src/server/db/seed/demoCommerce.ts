import { sql } from 'drizzle-orm';
import { v5 as uuidOf } from 'uuid';
import { deliveryMethods, discounts, taxRates } from '../schema/tables';
import type { Tx } from '../core/transact';

const idSpace = '6f0a2c1e-5d6b-4c57-9f0e-3a9d1b7e8c42';

/**
 * Inserts samples into a shop that has none: two delivery methods, three sales tax rates and two discount codes. The rates
 * are not verified. Inserted only if DEMO_COMMERCE is on.
 * @param parts.now the shop's clock
 * @returns whether they were inserted
 */
export async function seedDemoCommerce(tx: Tx, { now }: { now: Date }): Promise<boolean> {
  const { rows } = await tx.execute<{ isSet: boolean }>(sql`
    select exists (select from ${deliveryMethods}) or exists (select from ${taxRates}) or exists (select from ${discounts})
      as "isSet"`);
  if (rows[0]?.isSet) return false;
  await tx
    .insert(deliveryMethods)
    .values(methods.map((method) => ({ ...method, createdAt: now })))
    .onConflictDoNothing();
  await tx
    .insert(taxRates)
    .values(rates.map((rate) => ({ ...rate, changedAt: now })))
    .onConflictDoNothing();
  await tx
    .insert(discounts)
    .values(codes.map((code) => ({ ...code, createdAt: now })))
    .onConflictDoNothing();
  return true;
}

const methods = [
  {
    id: uuidOf('delivery/standard', idSpace),
    name: 'Standard',
    description: '3–5 business days',
    priceCents: 590,
    freeFromCents: 6000,
    position: 0,
  },
  {
    id: uuidOf('delivery/express', idSpace),
    name: 'Express',
    description: '1–2 business days',
    priceCents: 1490,
    position: 1,
  },
];

const rates = [
  { state: 'GA', ratePpm: 40_000, taxesDelivery: true },
  { state: 'NY', ratePpm: 40_000, taxesDelivery: true },
  { state: 'OH', ratePpm: 57_500, taxesDelivery: false },
];

const codes = [
  {
    id: uuidOf('discount/WELCOME10', idSpace),
    code: 'WELCOME10',
    kind: 'percent' as const,
    percent: 10,
    note: '10% off for everyone',
  },
  {
    id: uuidOf('discount/FREESHIP', idSpace),
    code: 'FREESHIP',
    kind: 'free_delivery' as const,
    minimumCents: 2500,
    note: 'Free delivery over $25',
  },
];
