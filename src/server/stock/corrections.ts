/** Manual stock corrections: always a difference with a reason, so that sales made meanwhile are not overwritten. */
import { eq } from 'drizzle-orm';
import { catalogMessages } from '../../shared/catalog';
import type { Schema } from '../../shared/contract';
import { writeAudit } from '../audit/service';
import { products } from '../db/schema/tables';
import type { Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { notFound } from '../http/core/problems';
import { adjustStock } from './service';

/**
 * @returns the new quantity
 * @throws Problem 404 product_not_found, 409 not_enough_stock or too_many_units
 * Rule: docs/rules/catalog.md, Stock
 */
export async function correctStock(
  tx: Tx,
  productId: string,
  correction: Schema<'StockAdjustment'>,
  { byUserId, by, now }: { byUserId: string; by: Actor; now: Date },
): Promise<number> {
  const [product] = await tx
    .select({ quantity: products.quantity })
    .from(products)
    .where(eq(products.id, productId))
    .for('no key update');
  if (!product) throw notFound('product_not_found', catalogMessages.productNotFound);
  const units = 'change' in correction ? correction.change : correction.counted - correction.quantityWas;
  const { reason } = correction;
  await adjustStock(tx, { productId, units, reason, byUserId, now });
  const quantity = product.quantity + units;
  if (units === 0) return quantity;
  await writeAudit(tx, {
    by,
    action: 'product.stock_adjusted',
    target: { kind: 'product', id: productId },
    before: { quantity: product.quantity },
    after: { quantity, reason },
    now,
  });
  return quantity;
}
