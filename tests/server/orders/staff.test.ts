import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notKept } from '../../../src/server/audit/service';
import { orderStatuses, statusLabels } from '../../../src/shared/orders';
import { defaultSettings } from '../../../src/shared/settings';
import { generateOrders, rowsOf } from '../../support/backOffice';
import { requireOperation } from '../../support/contract';
import { isNightly } from '../../support/nightly';
import { runDueJobs } from '../../support/mails';
import { paidOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  admin = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Example Admin' });
});
afterAll(() => shop.close());

const exportOf = async (query: object = {}) => {
  const answer = await shop.app.inject({
    url: '/api/admin/orders/export',
    query: { ...query },
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(answer.statusCode).toBe(200);
  return { ...answer, rows: rowsOf(answer.body) };
};

describe('the list of orders', () => {
  type Row = {
    number: string;
    customer: string;
    cents: number;
    status: string;
    created: string;
    paid: string | null;
    refunded: string | null;
    state: string;
    taxState: string | null;
    buyer: string;
  };
  let all: Row[];
  beforeAll(async () => {
    await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, timeZone: 'UTC' } });
    await generateOrders(shop.pool, 240, shop.clock.now());
    await shop.pool.query(`
      update orders set state = (array['GA', 'NY', 'TX'])[1 + order_number::int % 3],
        (tax_state, tax_rate_ppm) = (select 'NY', 57500 where order_number::int % 4 = 0)`);
    const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`;
    const { rows } = await shop.pool.query<Row>(
      `select order_number as number, customer, total_cents as cents, status, ${iso('created_at')} as created,
         ${iso('paid_at')} as paid, (select ${iso('done_at')} from refunds where order_id = orders.id) as refunded,
         state, tax_state as "taxState", user_id as buyer
       from orders`,
    );
    all = rows;
  });

  /** Order numbers as all pages list them. */
  const numbersOf = async (query: object): Promise<string[]> => {
    const numbers: string[] = [];
    for (let page = 0; ; page++) {
      const { data } = await shop.call('listOrders', { as: admin, query: { ...query, page, size: 100 } });
      numbers.push(...data.orders.content.map(({ orderNumber }) => orderNumber));
      if (page + 1 >= data.orders.totalPages) {
        expect(data.orders.totalElements).toBe(numbers.length);
        return numbers;
      }
    }
  };

  const on = (moment: string | null, from: string, to: string) =>
    moment !== null && moment.slice(0, 10) >= from && moment.slice(0, 10) <= to;
  const days = () => {
    const day = (ago: number) => new Date(shop.clock.now().getTime() - ago * 86_400_000).toISOString().slice(0, 10);
    return { from: day(120), to: day(40) };
  };
  const filters: [query: () => object, passes: (row: Row) => boolean][] = [
    [() => ({}), () => true],
    ...orderStatuses.map((status): [() => object, (row: Row) => boolean] => [
      () => ({ status }),
      (row) => row.status === status,
    ]),
    [() => ({ q: ' CEESAY' }), ({ customer }) => /ceesay/i.test(customer)],
    [() => ({ q: '100% chef_' }), ({ customer }) => customer.startsWith('100% Chef_')],
    [() => ({ q: '%' }), ({ customer }) => customer.includes('%')],
    [() => ({ q: '#1042' }), ({ number }) => number === '1042'],
    [() => ({ q: '12' }), ({ number, customer }) => number.includes('12') || customer.includes('12')],
    [() => days(), ({ created }) => on(created, days().from, days().to)],
    [() => ({ from: days().from }), ({ created }) => created.slice(0, 10) >= days().from],
    [() => ({ ...days(), by: 'paid' }), ({ paid }) => on(paid, days().from, days().to)],
    [() => ({ ...days(), by: 'refunded' }), ({ refunded }) => on(refunded, days().from, days().to)],
    [
      () => ({ ...days(), by: 'money' }),
      ({ paid, refunded }) => on(paid, days().from, days().to) || on(refunded, days().from, days().to),
    ],
    [() => ({ by: 'paid' }), ({ paid }) => paid !== null],
    [() => ({ customer: all[0]?.buyer }), ({ buyer }) => buyer === all[0]?.buyer],
    [() => ({ state: 'TX' }), ({ state }) => state === 'TX'],
    [() => ({ taxState: 'NY' }), ({ taxState }) => taxState === 'NY'],
    [() => ({ state: 'GA', taxState: 'NY' }), ({ state, taxState }) => state === 'GA' && taxState === 'NY'],
    [() => ({ by: 'refunded', status: 'DELIVERED' }), () => false],
    [() => ({ toShip: true }), ({ status }) => status === 'PAID'],
    [() => ({ toShip: false, state: 'TX' }), ({ state }) => state === 'TX'],
  ];
  const keys: Record<string, (row: Row) => (string | number)[]> = {
    orderNumber: ({ number }) => [Number(number)],
    createdAt: ({ created }) => [created],
    customer: ({ customer }) => [customer.toLowerCase()],
    totalAmount: ({ cents }) => [cents],
    status: ({ status, created }) => [statusLabels[status as keyof typeof statusLabels].toLowerCase(), created],
  };
  const sorts = requireOperation('listOrders').parameters?.find(({ name }) => name === 'sort') as unknown as {
    schema: { enum: string[] };
  };

  /** Expects the rows that pass, in the order of their keys. */
  async function expectSorted([query, passes]: (typeof filters)[number], sort: string): Promise<void> {
    const key = keys[sort];
    if (!key) throw new Error(`nothing says what sorting by ${sort} means`);
    const byNumber = new Map(all.map((row) => [row.number, row]));
    const expected = all.filter(passes).map(({ number }) => number);
    for (const direction of ['asc', 'desc']) {
      const numbers = await numbersOf({ ...query(), sort, direction });
      expect(numbers.toSorted(), JSON.stringify(query())).toEqual(expected.toSorted());
      const shown = numbers.map((number) => key(byNumber.get(number)!));
      const sign = direction === 'asc' ? 1 : -1;
      expect(shown).toEqual(shown.toSorted((one, other) => sign * compare(one, other)));
    }
  }

  test('has every filter, and each one matches something', async () => {
    for (const filter of filters) await expectSorted(filter, 'orderNumber');
    expect(filters.filter(([, passes]) => all.some(passes)).length).toBeGreaterThan(filters.length - 3);
  });

  test.each(sorts.schema.enum)('is sorted by %s, up and down, unfiltered and filtered', async (sort) => {
    const whole: (typeof filters)[number] = [() => ({}), () => true];
    const money = filters.find(([query]) => 'by' in query() && 'from' in query());
    for (const filter of isNightly ? filters : [whole, money ?? whole]) await expectSorted(filter, sort);
  });

  test('has only chosen orders, in the list and in its file', async () => {
    const { rows } = await shop.pool.query<{ id: string; number: string }>(
      'select id, order_number as number from orders order by created_at desc, id desc limit 3',
    );
    const ids = rows.map(({ id }) => id).toReversed();
    const numbers = rows.map(({ number }) => number);
    expect(await numbersOf({ ids })).toEqual(numbers);
    expect((await exportOf({ ids: ids[0] })).rows.map((row) => row['Order ID'])).toEqual([`#${numbers[2]}`]);
  });

  test('shows the newest first by default', async () => {
    expect(await numbersOf({})).toEqual(await numbersOf({ sort: 'createdAt', direction: 'desc' }));
  });

  test('is exported with exactly the rows of its filter, in its order, and no formulas', async () => {
    const query = { q: 'Marie', sort: 'totalAmount', direction: 'asc' };
    const { rows, headers } = await exportOf(query);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/);
    expect(rows.map((row) => row['Order ID'])).toEqual((await numbersOf(query)).map((number) => `#${number}`));
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(row).toMatchObject({ 'Customer Name': expect.stringMatching(/^'=Marie/) });
    expect(rows[0]?.['Amount']).toMatch(/^\d+\.\d\d$/);
    expect((await exportOf({ q: 'nobody of this name' })).rows).toEqual([]);
  });

  test('is exported by the state that received the tax, which is in its column', async () => {
    const { rows } = await exportOf({ taxState: 'NY' });
    expect(rows.map((row) => row['Order ID'])).toEqual(
      (await numbersOf({ taxState: 'NY' })).map((number) => `#${number}`),
    );
    expect(new Set(rows.map((row) => row['Tax state']))).toEqual(new Set(['NY']));
  });

  test.each([
    { sort: 'password_hash' },
    { direction: 'down' },
    { by: 'never' },
    { from: '2026-02-30' },
    { from: '2026-03-02', to: '2026-03-01' },
    { page: -1 },
    { size: 0 },
    { size: 101 },
    { status: 'LOST' },
    { ids: ['1042'] },
    { q: 'x'.repeat(121) },
  ])('rejects %j', async (query) => {
    expect(await shop.call('listOrders', { as: admin, query })).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});

const compare = (one: (string | number)[], other: (string | number)[]): number => {
  const place = one.findIndex((value, at) => value !== other[at]);
  if (place < 0) return 0;
  return (one[place] ?? 0) < (other[place] ?? 0) ? -1 : 1;
};

async function orderToWorkOn() {
  const order = await paidOrder(shop);
  return { ...order, path: { orderId: order.orderId } };
}
const auditOf = async (orderId: string) =>
  (await shop.pool.query('select action, before, after from audit_log where target_id = $1 order by id', [orderId]))
    .rows;

describe('an order in the back office', () => {
  test('is shown with its account, payment, possible steps, and the step that can be undone', async () => {
    const { as, path } = await orderToWorkOn();
    const read = async (person = admin) => (await shop.call('getOrderForStaff', { as: person, path })).data;
    expect(await read()).toMatchObject({
      orderResponse: { orderStatus: 'PAID', orderItems: [{ productName: 'Black pepper' }] },
      details: {
        account: { userId: as.userId, email: as.email },
        payment: { state: 'paid', amount: 4.5, paymentId: expect.stringMatching(/^pi_/) },
        nextStatuses: ['OUT_FOR_DELIVERY', 'DELIVERED'],
        notes: [],
        undo: null,
      },
    });
    await shop.call('updateOrderStatus', { as: admin, path: { ...path, status: 'OUT_FOR_DELIVERY' } });
    expect((await read()).details).toMatchObject({ nextStatuses: ['DELIVERED'], undo: { status: 'PAID' } });
    expect((await read(owner)).details.undo).toBeNull();
    const { undo } = (await read()).details;
    await shop.call('updateOrderStatus', { as: admin, path: { ...path, status: undo!.status } });
    expect((await read()).details).toMatchObject({ nextStatuses: ['OUT_FOR_DELIVERY', 'DELIVERED'], undo: null });
    await shop.call('updateOrderStatus', { as: admin, path: { ...path, status: 'DELIVERED' } });
    shop.clock.advance(10_500);
    expect((await read()).details.undo).toBeNull();
  });

  test('has notes that only staff see, written once for one key', async () => {
    const { as, path, orderId } = await orderToWorkOn();
    const key = randomUUID();
    const note = () => shop.call('addOrderNote', { as: admin, path, key, body: { text: '  Rings at the side door ' } });
    expect(await note()).toMatchObject({ status: 201, message: 'Note added' });
    await note();
    await shop.call('addOrderNote', { as: owner, path, body: { text: 'Called back' } });
    const { data } = await shop.call('getOrderForStaff', { as: admin, path });
    expect(data.details.emails).toMatchObject([{ kind: 'order_confirmation' }]);
    expect(data.details.notes).toMatchObject([
      { text: 'Rings at the side door', by: 'Example Admin' },
      { text: 'Called back' },
    ]);
    expect(JSON.stringify((await shop.call('getOrder', { as, path })).body)).not.toContain('side door');
    expect(await auditOf(orderId)).toEqual(
      [1, 2].map(() => ({ action: 'order.note_added', before: null, after: { text: notKept } })),
    );
    expect(await shop.call('addOrderNote', { as: admin, path, body: { text: ' ' } })).toMatchObject({
      status: 400,
      errors: [{ field: 'text', message: 'Enter a note' }],
    });
  });

  test('has a tracking link that the customer sees, on the order and in the mail', async () => {
    const { as, path, orderId } = await orderToWorkOn();
    const link = 'https://parcels.example.com/track?id=1042#now';
    const set = (shipmentTrackingUrl: unknown) =>
      shop.call('setOrderTracking', { as: admin, path, body: { shipmentTrackingUrl } });
    const seen = async () => (await shop.call('getOrder', { as, path })).data.orderResponse.shipmentTrackingUrl;
    expect((await set(` ${link} `)).message).toBe('Tracking link saved');
    expect(await seen()).toBe(link);
    await shop.call('updateOrderStatus', { as: admin, path: { ...path, status: 'OUT_FOR_DELIVERY' } });
    await shop.pool.query(`update graphile_worker._private_jobs set run_at = now()`);
    await runDueJobs(shop);
    const { rows } = await shop.pool.query<{ id: string }>(
      `select id from mails where order_id = $1 and kind = 'out_for_delivery'`,
      [orderId],
    );
    const mail = await shop.call('getMail', { as: owner, path: { mailId: rows[0]?.id ?? '' } });
    expect(mail.data.content.text).toContain(link);
    expect(mail.data.mail.state).toBe('not_sent'); // mail is written to a file: there is no mail server
    const { details } = (await shop.call('getOrderForStaff', { as: admin, path })).data;
    expect(details.trackingChanges).toMatchObject([{ by: 'Example Admin' }]);
    expect(details.emails).toContainEqual({
      id: mail.data.mail.id,
      kind: 'out_for_delivery',
      state: 'not_sent',
      recipient: mail.data.mail.recipient,
      at: mail.data.mail.createdAt,
    });
    await set('');
    expect(await seen()).toBeNull();
    const tracked = (await auditOf(orderId)).filter(({ action }) => action === 'order.tracking_set');
    expect(tracked).toHaveLength(2);
    expect(JSON.stringify(tracked)).not.toContain('parcels');
  });

  test.each([
    'http://parcels.example.com/1',
    'javascript:alert(1)',
    'https://',
    'https://parcels',
    'https://shop@parcels.example.com/1',
    'https://parcels.example.com\\@evil.example/1',
    'https://parcels.example.com/a b',
    'https://parcels.example.com/\u202e1',
    `https://parcels.example.com/${'x'.repeat(480)}`,
    'parcels.example.com/1',
  ])('accepts no tracking link like %s', async (shipmentTrackingUrl) => {
    const path = { orderId: randomUUID() };
    const answer = await shop.call('setOrderTracking', { as: admin, path, body: { shipmentTrackingUrl } });
    expect(answer).toMatchObject({ status: 400, errors: [{ field: 'shipmentTrackingUrl' }] });
  });
});
