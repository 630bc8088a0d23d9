/** One success and every error of discount codes and reports, for the contract test. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { orders } from '../../src/server/db/schema/tables';
import type { Schema } from '../../src/shared/contract';
import type { Scenarios } from './accountScenarios';
import { openOrder } from './buying';
import type { TestShop } from './shop';

/** A code that no other test uses: ten percent by default. */
export const someCode = (facts: Partial<Schema<'DiscountForm'>> = {}): Schema<'DiscountForm'> => ({
  code: `CODE-${randomUUID().slice(0, 8).toUpperCase()}`,
  kind: 'percent',
  percent: 10,
  ...facts,
});

export function discountScenarios(shop: () => TestShop): Scenarios {
  const admin = () => shop().signIn({ role: 'ROLE_ADMIN' });
  const create = async (body = someCode()) => shop().call('createDiscount', { as: await admin(), body });
  const made = async () => (await create()).data.discount;
  const update = async (discountId: string, body = someCode()) =>
    shop().call('updateDiscount', { as: await admin(), path: { discountId }, body });
  const read = async (discountId: string) => shop().call('getDiscount', { as: await admin(), path: { discountId } });

  return {
    listDiscounts: {
      success: async () => {
        await made();
        return shop().call('listDiscounts', { as: await admin(), query: { period: 'year', status: 'active' } });
      },
    },
    exportDiscounts: { success: async () => shop().call('exportDiscounts', { as: await admin() }) },
    getDiscount: { success: async () => read((await made()).id), discount_not_found: () => read(randomUUID()) },
    createDiscount: {
      success: () => create(),
      code_taken: async () => create(someCode({ code: (await made()).code })),
    },
    updateDiscount: {
      success: async () => update((await made()).id),
      discount_not_found: () => update(randomUUID()),
      code_taken: async () => update((await made()).id, someCode({ code: (await made()).code })),
      discount_used: async () => {
        const { id } = await made();
        const { orderId } = await openOrder(shop());
        await shop().db.update(orders).set({ discountId: id }).where(eq(orders.id, orderId));
        return update(id);
      },
    },
    getReport: {
      success: async () => shop().call('getReport', { as: await admin(), path: { by: 'product' } }),
    },
    getSalesSummary: {
      success: async () => shop().call('getSalesSummary', { as: await admin(), query: { by: 'product' } }),
    },
    exportSalesSummary: {
      success: async () => shop().call('exportSalesSummary', { as: await admin() }),
    },
    exportReport: {
      success: async () => shop().call('exportReport', { as: await admin(), path: { by: 'month' } }),
    },
  };
}
