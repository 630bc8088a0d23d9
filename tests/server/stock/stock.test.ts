/** Manual stock corrections, the ledger, and two admins on one product. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asc, eq } from 'drizzle-orm';
import { auditLog } from '../../../src/server/db/schema/tables';
import { buy, openOrder, placeOrder } from '../../support/buying';
import { multipart } from '../../support/multipart';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
let colleague: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Isatou Jallow' });
  colleague = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const adjust = (id: string, body: object, as = staff) => shop.call('adjustStock', { as, path: { id }, body });
const ledgerOf = async (id: string, query: object = {}) =>
  (await shop.call('listStockMovements', { as: staff, path: { id }, query: { ...query } })).data;
const forStaff = async (id: string) =>
  (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product;
const save = (as: Person, id: string, fields: object) =>
  shop.call('updateProduct', { as, path: { id }, ...multipart(fields) });

test('a correction is a ledger row with who, why, and the new quantity', async () => {
  const { id } = await shop.stock({ quantity: 10 });
  expect((await adjust(id, { change: -2, reason: ' Two jars broke ' })).data.quantity).toBe(8);
  expect((await adjust(id, { counted: 11, quantityWas: 8, reason: 'Stocktaking' })).data.quantity).toBe(11);
  const { movements, quantity, held } = await ledgerOf(id);
  expect({ quantity, held, total: movements.totalElements }).toEqual({ quantity: 11, held: 0, total: 3 });
  expect(movements.content).toMatchObject([
    { kind: 'adjustment', shelf: 3, quantityAfter: 11, reason: 'Stocktaking', by: 'Isatou Jallow' },
    { kind: 'adjustment', shelf: -2, quantityAfter: 8, reason: 'Two jars broke', by: 'Isatou Jallow' },
    { kind: 'adjustment', shelf: 10, quantityAfter: 10, reason: 'Starting stock', by: null },
  ]);
  const second = await ledgerOf(id, { page: 1, size: 2 });
  expect(second.movements.content).toMatchObject([{ quantityAfter: 10, reason: 'Starting stock' }]);
  const audit = await shop.db.select().from(auditLog).where(eq(auditLog.targetId, id)).orderBy(asc(auditLog.id));
  expect(audit).toMatchObject([
    { action: 'product.stock_adjusted', before: { quantity: 10 }, after: { quantity: 8, reason: 'Two jars broke' } },
    { action: 'product.stock_adjusted', before: { quantity: 8 }, after: { quantity: 11 } },
  ]);
});

test('what is sold is in the ledger with its order', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 2);
  const [row] = (
    await shop.pool.query<{ product_id: string }>('select product_id from order_items where order_id = $1', [
      order.orderId,
    ])
  ).rows;
  const id = row?.product_id ?? '';
  expect(await ledgerOf(id)).toMatchObject({ quantity: 3, held: 2 });
  await buy(shop, order);
  const { movements, held } = await ledgerOf(id);
  expect(held).toBe(0);
  expect(movements.content).toMatchObject([
    { kind: 'sale', shelf: 0, held: -2, quantityAfter: 3, orderNumber: order.orderNumber },
    { kind: 'hold', shelf: -2, held: 2, quantityAfter: 3 },
    { kind: 'adjustment', shelf: 5, quantityAfter: 5 },
  ]);
});

test('what was sold since the shelf was counted stays sold', async () => {
  const { id } = await shop.stock({ quantity: 10 });
  await adjust(id, { change: -3, reason: 'Sold at the market' }, colleague);
  expect((await adjust(id, { counted: 9, quantityWas: 10, reason: 'Counted' })).data.quantity).toBe(6);
});

test.each([
  ['no reason', { change: 1 }],
  ['an empty reason', { change: 1, reason: '  ' }],
  ['a long reason', { change: 1, reason: 'x'.repeat(201) }],
  ['half a unit', { change: 0.5, reason: 'x' }],
  ['a text', { change: '1', reason: 'x' }],
  ['too many', { change: 1_000_001, reason: 'x' }],
  ['what was counted, without what it was', { counted: 5, reason: 'x' }],
  ['both ways at once', { change: 1, counted: 5, quantityWas: 4, reason: 'x' }],
  ['the quantity itself', { quantity: 5, reason: 'x' }],
])('a correction with %s is rejected', async (_, body) => {
  const { id } = await shop.stock({ quantity: 4 });
  expect(await adjust(id, body)).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await forStaff(id)).toMatchObject({ quantity: 4 });
});

test('when two admins edit one product, neither overwrites the other’s change unseen', async () => {
  const { id, categoryId: category } = await shop.stock({ quantity: 10, unitCostCents: 200 });
  const opened = await forStaff(id);
  const shown = {
    name: opened.name,
    description: opened.description,
    price: '4.50',
    availability: 'true',
    quantity: String(opened.quantity),
    quantityWas: String(opened.quantity),
    category,
    unitCost: '2.00',
    version: String(opened.version),
  };
  expect((await save(colleague, id, { ...shown, price: '4.75', unitCost: '2.20' })).status).toBe(200);
  const refused = await save(staff, id, { ...shown, description: 'Whole berries, sun dried.' });
  expect(refused).toMatchObject({ status: 409, code: 'product_changed' });
  expect(refused.errors).toEqual([
    {
      field: 'description',
      message: `Now "Whole berries.", yours is "Whole berries, sun dried."`,
      current: 'Whole berries.',
    },
    { field: 'price', message: 'Now $4.75, yours is $4.50', current: '4.75' },
    { field: 'unitCost', message: 'Now $2.20, yours is $2.00', current: '2.20' },
  ]);
  const now = await forStaff(id);
  const agreed = { ...shown, price: '4.75', unitCost: '2.20', description: 'Sun dried.', version: String(now.version) };
  expect((await save(staff, id, agreed)).status).toBe(200);
  expect(await forStaff(id)).toMatchObject({ price: 4.75, unitCost: 2.2, description: 'Sun dried.' });
});

test('a form rejected because another user moved the product to another category gets both titles', async () => {
  const [was, is] = [await shop.category({ title: 'Roots' }), await shop.category({ name: 'dried-leaves' })];
  const { id } = await shop.stock({ categoryId: was.id });
  const { name, description, quantity, version } = await forStaff(id);
  const shown = { name, description, price: '4.50', availability: 'true', quantity: String(quantity) };
  expect((await save(colleague, id, { ...shown, category: is.id })).status).toBe(200);
  const refused = await save(staff, id, { ...shown, category: was.id, version: String(version) });
  const message = `Now "Dried leaves", yours is "Roots"`;
  expect(refused.errors).toEqual([{ field: 'category', message, current: 'dried-leaves' }]);
});

test('parallel corrections, forms and orders: the ledger’s sum is the quantity', async () => {
  const { id, categoryId: category } = await shop.stock({ quantity: 100 });
  const buyers = await Promise.all(Array.from({ length: 5 }, () => shop.signIn()));
  const bought = Promise.all(
    buyers.map(async (as) => {
      const path = { userId: as.userId };
      await shop.call('addCartItem', { as, path, body: { productId: id, quantity: 2 } });
      return (await placeOrder(shop, as)).status;
    }),
  );
  const texts = { name: 'Black pepper', price: '4.50', availability: 'true', quantity: '100', quantityWas: '100' };
  const saved = Promise.all(
    Array.from({ length: 2 }, (_, at) => save(staff, id, { ...texts, category, description: `Text ${at}` })),
  );
  const corrected = Promise.all(
    Array.from({ length: 4 }, (_, at) =>
      adjust(id, at % 2 ? { change: 3, reason: 'Found' } : { counted: 99, quantityWas: 100, reason: 'Counted' }),
    ),
  );
  expect(await bought).toEqual(Array(5).fill(201));
  for (const { status } of [...(await saved), ...(await corrected)]) expect(status).toBe(200);
  const { quantity, held, movements } = await ledgerOf(id, { size: 100 });
  expect({ quantity, held }).toEqual({ quantity: 100 - 10 + 6 - 2, held: 10 });
  expect(movements.content.reduce((sum, { shelf }) => sum + shelf, 0)).toBe(quantity);
  expect(movements.content[0]?.quantityAfter).toBe(quantity);
});
