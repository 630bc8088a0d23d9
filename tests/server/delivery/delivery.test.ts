import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(async () => {
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterEach(() => shop.pool.query('delete from delivery_methods'));

const standard = {
  name: 'Standard',
  description: '3–5 business days',
  price: 5.95,
  freeFrom: 60,
  states: ['GA', 'FL'],
};
const create = (body: object) => shop.call('createDeliveryMethod', { as: admin, body });
const created = async (body: object) => (await create(body)).data.deliveryMethod;
const update = (id: string, body: object) => shop.call('updateDeliveryMethod', { as: admin, path: { id }, body });
const archive = (id: string) => shop.call('archiveDeliveryMethod', { as: admin, path: { id } });
const list = async () =>
  (await shop.call('listDeliveryMethods', { as: admin, query: { size: 100 } })).data.deliveryMethods.content;
const names = async () => (await list()).map(({ name }) => name);
const audit = async (id: string) =>
  (await shop.pool.query('select action, before, after from audit_log where target_id = $1 order by id', [id])).rows;

describe('delivery methods', () => {
  test('are created by staff, with defaults for the rest', async () => {
    const answer = await create(standard);
    expect(answer).toMatchObject({ status: 201, message: 'Delivery method added' });
    const { id } = answer.data.deliveryMethod;
    expect(await list()).toEqual([{ ...standard, id, states: ['FL', 'GA'], position: 0, isActive: true }]);
    const plain = await created({ name: 'Express', price: 0 });
    expect(plain).toMatchObject({ description: '', freeFrom: null, states: null, position: 1, isActive: true });
  });

  test('are replaced entirely, with each change in the audit log', async () => {
    const { id } = await created(standard);
    expect(await update(id, { name: 'Standard', price: 6.5, isActive: false })).toMatchObject({ status: 200 });
    expect(await list()).toMatchObject([
      { description: '', price: 6.5, freeFrom: null, states: null, position: 0, isActive: false },
    ]);
    await update(id, { name: 'Standard', price: 6.5, isActive: false });
    expect(await audit(id)).toEqual([
      { action: 'delivery_method.created', before: null, after: expect.objectContaining({ priceCents: 595 }) },
      {
        action: 'delivery_method.changed',
        before: {
          description: '3–5 business days',
          priceCents: 595,
          freeFromCents: 6000,
          states: ['FL', 'GA'],
          isActive: true,
        },
        after: { description: '', priceCents: 650, freeFromCents: null, states: null, isActive: false },
      },
    ]);
  });

  test('stay where they were put, and the others keep their order', async () => {
    const methods = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) methods.push(await created({ name, price: 1 }));
    const [one, , , four] = methods;
    await update(four?.id ?? '', { name: 'Four', price: 1, position: 1 });
    expect(await names()).toEqual(['One', 'Four', 'Two', 'Three']);
    await update(one?.id ?? '', { name: 'One', price: 1, position: 99 });
    expect(await names()).toEqual(['Four', 'Two', 'Three', 'One']);
    await create({ name: 'Zero', price: 1, position: 0 });
    expect(await names()).toEqual(['Zero', 'Four', 'Two', 'Three', 'One']);
    expect((await list()).map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
  });

  test('are archived, and return to their position unchanged', async () => {
    const { id, ...form } = await created(standard);
    await create({ name: 'Express', price: 14.95 });
    const { data } = await archive(id);
    expect(data.deliveryMethod).toEqual({ id, ...form });
    expect(await names()).toEqual(['Express']);
    expect(await archive(id)).toMatchObject({ status: 404, code: 'method_not_found' });
    const { id: _, ...asItWas } = data.deliveryMethod;
    await update(id, asItWas);
    expect(await list()).toMatchObject([
      { id, ...form },
      { name: 'Express', position: 1 },
    ]);
    expect((await audit(id)).slice(1)).toEqual([
      { action: 'delivery_method.archived', before: { isArchived: false }, after: { isArchived: true } },
      { action: 'delivery_method.restored', before: { isArchived: true }, after: { isArchived: false } },
    ]);
  });

  test('have unique names, except archived ones', async () => {
    const { id } = await created(standard);
    const errors = [{ field: 'name', message: "There's already a method with this name" }];
    expect(await create({ name: 'STANDARD', price: 1 })).toMatchObject({ code: 'method_name_taken', errors });
    await archive(id);
    expect((await create({ name: 'STANDARD', price: 1 })).status).toBe(201);
    expect(await update(id, standard)).toMatchObject({ code: 'method_name_taken', errors });
  });

  test.each([
    [{ name: ' ' }, 'name', 'Enter a name'],
    [{ name: 'n'.repeat(61) }, 'name', 'Use 60 characters or fewer'],
    [{ description: 'd'.repeat(121) }, 'description', 'Use 120 characters or fewer'],
    [{ price: -1 }, 'price', 'Enter a price, such as 5.95, or 0 for free'],
    [{ price: '12,5' }, 'price', 'Use a period and two digits for cents, such as 1,250.00 or 12.50'],
    [{ price: 5.955 }, 'price', 'Enter a price, such as 5.95, or 0 for free'],
    [{ price: 10_000 }, 'price', 'Enter a price, such as 5.95, or 0 for free'],
    [{ freeFrom: 0 }, 'freeFrom', 'Enter an amount, such as 60.00, or leave blank'],
    [{ states: [] }, 'states', 'Choose at least one state'],
    [{ states: ['GU'] }, 'states', 'Choose from the 50 states and DC'],
  ])('reject %j', async (change, field, message) => {
    expect(await create({ ...standard, ...change })).toMatchObject({ status: 400, errors: [{ field, message }] });
  });

  test('created twenty at the same time each have their own position', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, (_, n) => create({ name: `Method ${n}`, price: n })));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    expect((await list()).map(({ position }) => position)).toEqual(made.map((_, place) => place));
  });

  test('are hidden from customers, who cannot change them', async () => {
    const ana = await shop.signIn();
    expect(await shop.call('listDeliveryMethods', { as: ana })).toMatchObject({ status: 403 });
  });
});
