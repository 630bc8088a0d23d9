import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { statesOf } from '../../../src/shared/usStates';
import { paidOrder, putInCart } from '../../support/buying';
import { asFile, form } from '../../support/catalogScenarios';
import { offerDelivery, orderTo, quote, sellPlainly } from '../../support/selling';
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
afterEach(() => shop.pool.query('delete from tax_rates'));

const set = (state: string, body: object) => shop.call('setTaxRate', { as: admin, path: { state }, body });
const remove = (state: string) => shop.call('removeTaxRate', { as: admin, path: { state } });
const rates = async () => (await shop.call('listTaxRates', { as: admin, query: { size: 100 } })).data.taxRates.content;
const send = async (csv: string) => shop.call('importTaxRates', { as: admin, ...(await form({ file: asFile(csv) })) });
const fileAt = async (url: string) =>
  (await shop.app.inject({ url: `/api/admin/tax-rates/${url}`, headers: { authorization: `Bearer ${admin.token}` } }))
    .body;
const audit = async (state: string) =>
  (
    await shop.pool.query(
      'select action, before, after from audit_log where target_id = $1 and actor_id = $2 order by id',
      [state, admin.userId],
    )
  ).rows;

describe('rates of sales tax', () => {
  test('are set and removed by state, with each change in the audit log', async () => {
    expect(await set('OH', { rate: 5.5 })).toMatchObject({
      message: 'Rate saved',
      data: { taxRate: { state: 'OH', rate: 5.5, taxesDelivery: false } },
    });
    await set('GA', { rate: 4, taxesDelivery: true });
    await set('OH', { rate: 5.7512, taxesDelivery: true });
    await set('OH', { rate: 5.7512, taxesDelivery: true });
    expect(await rates()).toEqual([
      { state: 'GA', rate: 4, taxesDelivery: true },
      { state: 'OH', rate: 5.7512, taxesDelivery: true },
    ]);
    expect(await remove('OH')).toMatchObject({ status: 200 });
    expect(await remove('OH')).toMatchObject({ status: 200 });
    expect(await rates()).toMatchObject([{ state: 'GA' }]);
    expect(await audit('OH')).toEqual([
      {
        action: 'tax_rate.changed',
        before: { rate: null, taxesDelivery: null },
        after: { rate: 5.5, taxesDelivery: false },
      },
      {
        action: 'tax_rate.changed',
        before: { rate: 5.5, taxesDelivery: false },
        after: { rate: 5.7512, taxesDelivery: true },
      },
      {
        action: 'tax_rate.removed',
        before: { rate: 5.7512, taxesDelivery: true },
        after: { rate: null, taxesDelivery: null },
      },
    ]);
  });

  test.each([-1, 30.0001, 5.12345, '5'])('are never %j', async (rate) => {
    expect(await set('OH', { rate })).toMatchObject({ status: 400 });
  });

  test('keep all four decimals', async () => {
    for (let ppm = 0; ppm <= 300_000; ppm += 14_987) {
      await set('WY', { rate: ppm / 10_000 });
      expect(await rates()).toMatchObject([{ rate: ppm / 10_000 }]);
    }
  });

  test('exist for the 50 states and DC only', async () => {
    expect(await set('GU', { rate: 4 })).toMatchObject({ status: 404, code: 'not_found' });
    expect(await remove('ZZ')).toMatchObject({ status: 404, code: 'not_found' });
  });
});

test('an order to DC has its delivery and its tax', async () => {
  await offerDelivery(shop, { states: ['MD', 'DC'] });
  await set('DC', { rate: 6, taxesDelivery: true });
  const ana = await shop.signIn();
  await putInCart(shop, ana, (await shop.stock({ priceCents: 1000 })).id, 1);
  const { data } = await quote(shop, ana, { deliveryAddress: { state: 'District of Columbia' } });
  expect(data.quote).toMatchObject({ delivery: 5, tax: { rate: 6, amount: 0.9 }, total: 15.9 });
  expect(await orderTo(shop, ana, 'DC', { expectedTotal: 15.9 })).toMatchObject({ status: 201 });
  await sellPlainly(shop);
});

describe('a file of rates', () => {
  test('that was exported is imported unchanged', async () => {
    await set('OH', { rate: 5.75, taxesDelivery: true });
    const csv = await fileAt('export');
    expect(csv).toContain('"OH","Ohio","5.75","true"\n');
    expect(csv).toContain('"GA","Georgia","",""\n');
    expect(csv.trim().split('\n')).toHaveLength(52);
    expect(await send(csv)).toMatchObject({ message: '0 rates saved', data: { changed: 0 } });
  });

  test('has the rate of every state', async () => {
    await send(
      `state,rate\n${statesOf({})
        .map((code) => `${code},4`)
        .join('\n')}\n`,
    );
    const rows = (await fileAt('export')).trim().split('\n').slice(1);
    expect(rows.filter((row) => row.endsWith('"4","false"'))).toHaveLength(statesOf({}).length);
  });

  test('sets and removes what it names, and nothing else', async () => {
    await set('OH', { rate: 5.75, taxesDelivery: true });
    await set('GA', { rate: 4 });
    const answer = await send('state;rate;taxesDelivery\nohio;;\nMD;6,0 %;TRUE\n');
    expect(answer).toMatchObject({ message: '2 rates saved', data: { changed: 2 } });
    expect(await rates()).toEqual([
      { state: 'GA', rate: 4, taxesDelivery: false },
      { state: 'MD', rate: 6, taxesDelivery: true },
    ]);
  });

  test('without the delivery column leaves delivery taxed where it was, and untaxed elsewhere', async () => {
    await set('OH', { rate: 5.75, taxesDelivery: true });
    expect(await send('state,rate\nOH,6\nGA,4\n')).toMatchObject({ data: { changed: 2 } });
    expect(await rates()).toEqual([
      { state: 'GA', rate: 4, taxesDelivery: false },
      { state: 'OH', rate: 6, taxesDelivery: true },
    ]);
  });

  test('with a mistake changes nothing, and each mistake is named', async () => {
    const answer = await send('state,rate,taxesDelivery\nOH,5.75,yes\nOH,31,perhaps\nGuam,4,\n');
    expect(answer).toMatchObject({
      status: 409,
      code: 'import_refused',
      errors: [
        { field: '3.state', message: 'This state is in the file twice' },
        { field: '3.rate', message: 'Enter a rate from 0 to 30 with up to 4 decimals' },
        { field: '3.taxesDelivery', message: 'Enter true or false' },
        { field: '4.state', message: 'Enter one of the 50 states or DC' },
      ],
    });
    expect(await rates()).toEqual([]);
  });

  test.each(['state', 'rate'])('without the column %s is rejected, and removes no rate', async (missing) => {
    await set('OH', { rate: 5.75 });
    const csv = missing === 'rate' ? 'state,taxesDelivery\nOH,true\n' : 'name,rate\nOhio,6\n';
    const message = `Add the column "${missing}"`;
    expect(await send(csv)).toMatchObject({ status: 400, code: 'invalid_csv', message });
    expect(await rates()).toMatchObject([{ state: 'OH', rate: 5.75 }]);
  });
});

describe('sales tax collected', () => {
  /** A paid order as one with tax is stored: $4.50 of goods and 27 cents. */
  async function taxed(state: string, paidAt: string, refunds: { at: string; cents: number; state?: string }[] = []) {
    const orderId = await paidIn(state, paidAt);
    await shop.pool.query(
      `update orders set tax_state = state, tax_rate_ppm = 60000, taxed_cents = 450, tax_cents = 27,
         total_cents = total_cents + 27 where id = $1`,
      [orderId],
    );
    for (const { at, cents, state: is = 'done' } of refunds)
      await shop.pool.query(
        `insert into refunds (id, order_id, amount_cents, tax_cents, state, reason, created_at, done_at)
         values (gen_random_uuid(), $1, $2 + 1, $2, $3, 'x', $4, $4)`,
        [orderId, cents, is, at],
      );
    return orderId;
  }
  /** An order of $4.50 without tax. */
  async function paidIn(state: string, paidAt: string) {
    const { orderId } = await paidOrder(shop);
    await shop.pool.query('update orders set state = $2, paid_at = $3 where id = $1', [orderId, state, paidAt]);
    return orderId;
  }
  const collected = async (query: object) =>
    (await shop.call('getTaxCollected', { as: admin, query: { ...query } })).data.collected;

  test('counts payments and refunds by the days of the shop’s time zone', async () => {
    await taxed('GA', '2026-03-01T04:59:59Z'); // the last second of February in New York
    await taxed('GA', '2026-03-01T05:00:00Z', [{ at: '2026-03-31T12:00:00Z', cents: 5 }]);
    await taxed('GA', '2026-04-01T03:59:59Z', [{ at: '2026-04-02T12:00:00Z', cents: 7 }]);
    await taxed('OH', '2026-02-10T12:00:00Z', [
      { at: '2026-03-10T12:00:00Z', cents: 3 },
      { at: '2026-03-11T12:00:00Z', cents: 9, state: 'failed' },
    ]);
    const march = { from: '2026-03-01', to: '2026-03-31' };
    expect(await collected(march)).toMatchObject([
      { state: 'GA', orders: 2, taxed: 9, tax: 0.54, refunded: 0.05, toRemit: 0.49 },
      { state: 'OH', orders: 0, taxed: 0, tax: 0, refunded: 0.03, toRemit: -0.03 },
    ]);
    const ofAllTime = (await collected({})).filter(({ state }) => ['GA', 'OH'].includes(state));
    expect(ofAllTime).toMatchObject([
      { state: 'GA', orders: 3, taxed: 13.5, tax: 0.81, refunded: 0.12, toRemit: 0.69 },
      { state: 'OH', orders: 1, taxed: 4.5, tax: 0.27, refunded: 0.03, toRemit: 0.24 },
    ]);
    expect(await collected({ from: '2026-05-01', to: '2026-05-31' })).toEqual([]);
  });

  test('lists every state with sales, those without a rate after the others, as their file does', async () => {
    const at = '2026-09-10T12:00:00Z';
    for (const state of ['OH', 'GA', 'GA']) await taxed(state, at);
    for (const state of ['OH', 'NY', 'TX', 'TX']) await paidIn(state, at);
    await shop.pool.query(`update orders set tax_rate_ppm = 40000 where state = 'GA' and paid_at = $1`, [at]);
    await shop.pool.query(`update orders set taxed_cents = 150 where state = 'OH' and tax_cents > 0 and paid_at = $1`, [
      at,
    ]);
    const days = { from: '2026-09-01', to: '2026-09-30' };
    const none = { taxable: 0, taxed: 0, rates: [], tax: 0, refunded: 0, toRemit: 0 };
    const whole = { taxable: 9, taxed: 9, rates: [4], tax: 0.54, refunded: 0, toRemit: 0.54 };
    const partly = { taxable: 1.5, taxed: 1.5, rates: [6], tax: 0.27, refunded: 0, toRemit: 0.27 };
    expect(await collected(days)).toEqual([
      { state: 'GA', orders: 2, gross: 9, exempt: 0, ...whole },
      { state: 'OH', orders: 2, gross: 9, exempt: 7.5, ...partly },
      { state: 'TX', orders: 2, gross: 9, exempt: 9, ...none },
      { state: 'NY', orders: 1, gross: 4.5, exempt: 4.5, ...none },
    ]);
    expect(await fileAt(`collected/export?${new URLSearchParams(days).toString()}`)).toBe(
      [
        '\uFEFF"State","Orders","Gross sales","Exempt sales","Taxable sales","Rate","Tax","Refunded","To remit"',
        '"Georgia","2","9.00","0.00","9.00","4","0.54","0.00","0.54"',
        '"Ohio","2","9.00","7.50","1.50","6","0.27","0.00","0.27"',
        '"Texas","2","9.00","9.00","0.00","","0.00","0.00","0.00"',
        '"New York","1","4.50","4.50","0.00","","0.00","0.00","0.00"',
        '',
      ].join('\n'),
    );
  });

  test('opens the counted orders for each figure of a state, and for refunds those that returned tax', async () => {
    const partly = await taxed('TX', '2026-06-01T12:00:00Z', [
      { at: '2026-06-02T12:00:00Z', cents: 5 },
      { at: '2026-08-02T12:00:00Z', cents: 0 },
    ]);
    const untaxed = await taxed('TX', '2026-06-01T12:00:00Z', [{ at: '2026-06-02T12:00:00Z', cents: 0 }]);
    const opened = async (by: string, days: object) => {
      const query = { by, taxState: 'TX', ...days };
      const { content } = (await shop.call('listOrders', { as: admin, query })).data.orders;
      return content.map(({ orderId }) => orderId).toSorted();
    };
    const june = { from: '2026-06-01', to: '2026-06-30' };
    expect(await opened('paid', june)).toEqual([partly, untaxed].toSorted());
    expect(await opened('refunded', june)).toEqual([partly]);
    expect(await opened('refunded', { from: '2026-08-01', to: '2026-08-31' })).toEqual([]);
    expect(await opened('refunded', {})).toEqual([partly]);
  });

  test('needs its days in order', async () => {
    const answer = await shop.call('getTaxCollected', { as: admin, query: { from: '2026-03-02', to: '2026-03-01' } });
    expect(answer).toMatchObject({ status: 400, message: "The start date can't be after the end date" });
  });
});
