import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Schema } from '../../../src/shared/contract';
import { canMove, type OrderStatus, undoStatusMs } from '../../../src/shared/orders';
import { writeAudit } from '../../../src/server/audit/service';
import { transact } from '../../../src/server/db/core/transact';
import { cancelOrder, lockOrderAndCart, notesOfCanceler } from '../../../src/server/orders/lifecycle';
import { buy, capture, checkBooks, type Order, placedOrder, putInCart } from '../../support/buying';
import { mailsOf, runDueJobs } from '../../support/mails';
import { isNightly } from '../../support/nightly';
import { seededRandom } from '../../support/random';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/**
 * Random lives of orders, compared step by step with a simple model: they are canceled before and after the payment, and
 * some are paid too late. Rule: docs/rules/orders-and-payment.md, Parcels; Paid too late, or twice
 */
let shop: TestShop;
let staff: [Person, Person];
let productIds: string[];
beforeAll(async () => {
  shop = await openOwnShop();
  staff = [await shop.signIn({ role: 'ROLE_ADMIN' }), await shop.signIn({ role: 'ROLE_ADMIN' })];
  productIds = [];
  for (const name of ['Rub', 'Blend', 'Pepper']) productIds.push((await shop.stock({ name, quantity: 10_000 })).id);
});
afterAll(() => shop.close());

const howMany = isNightly ? 500 : 12;

test(
  `in ${howMany} lives of orders no unit is shipped twice or after its refund, and each package is told once`,
  { timeout: howMany * 15_000 },
  async () => {
    const random = seededRandom();
    for (let life = 0; life < howMany; life++) await liveOnce(random);
    await checkBooks(shop);
  },
);

type Line = { id: string; ordered: number; shipped: number; before: number; after: number };
type Parcel = { id: string; units: number[]; made: OrderStatus | null; isTold: boolean; at: number };
type Step = { status: OrderStatus; by: Person | null; at: number };
type Life = { orderId: string; lines: Line[]; parcels: Parcel[]; steps: Step[]; isRefunded: boolean };
type Random = ReturnType<typeof seededRandom>;

const leftOf = ({ ordered, shipped, before }: Line) => ordered - shipped - before;
const sum = (units: readonly number[]) => units.reduce((all, some) => all + some, 0);
const statusOf = ({ steps }: Life): OrderStatus => steps.at(-1)?.status ?? 'PAID';
const now = () => shop.clock.now().getTime();

async function liveOnce(random: Random): Promise<void> {
  const placed = await place(random);
  const beginning = random.oneOf(['paid', 'paid', 'paid', 'late', 'customer', 'staff'] as const);
  if (beginning === 'customer' || beginning === 'staff') return endUnpaid(placed, beginning, random);
  if (beginning === 'late') await payTooLate(placed, 'shop');
  else await buy(shop, placed);
  const life = await begin(placed);
  await compare(life, beginning);
  const acts = { ship, shipTogether, refund, move, undo, remove, cancel, wait };
  for (let left = 4 + random.below(8); left > 0 && !life.isRefunded; left--) {
    const act = random.oneOf([
      'ship',
      'ship',
      'shipTogether',
      'refund',
      'refund',
      'move',
      'undo',
      'remove',
      'cancel',
      'wait',
    ] as const);
    await acts[act](life, random);
    await compare(life, act);
  }
  await wait();
  const { rows } = await shop.pool.query<{ state: string; count: string }>(
    `select state, count(*) from mails where order_id = $1 and kind = 'out_for_delivery' group by state`,
    [life.orderId],
  );
  const countOf = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0);
  expect([countOf('sent'), countOf('waiting')]).toEqual([life.parcels.filter(({ isTold }) => isTold).length, 0]);
}

type Placed = Order & { as: Person };
async function place({ below }: Random): Promise<Placed> {
  const as = await shop.signIn();
  for (const id of productIds.slice(0, 1 + below(3))) await putInCart(shop, as, id, 1 + below(4));
  return { ...(await placedOrder(shop, as)), as };
}

/** An unpaid order is canceled, and sometimes paid too late: then it is refunded, once, and nothing of it is shipped. */
async function endUnpaid(placed: Placed, by: 'customer' | 'staff', random: Random): Promise<void> {
  const { orderId, as } = placed;
  const isPaidLate = random.below(2) > 0;
  if (isPaidLate) await payTooLate(placed, by);
  else {
    const presses = staff.map((each) =>
      by === 'staff'
        ? shop.call('cancelOrder', { as: each, path: { orderId }, body: {} })
        : shop.call('cancelOwnOrder', { as, path: { orderId } }),
    );
    expect((await Promise.all(presses)).map(({ status }) => status)).toEqual([200, 200]);
  }
  const life = { ...(await begin(placed)), isRefunded: isPaidLate };
  if (!isPaidLate) life.steps.push({ status: 'CANCELLED', by: null, at: now() });
  expect((await send(life, life.lines.map(leftOf), staff[0], true)).status).toBe(409);
  const body = { reason: 'Asked for' };
  expect((await shop.call('refundOrder', { as: staff[1], path: { orderId }, body })).status).toBe(409);
  const order = await read(orderId);
  expect([order.orderStatus, ...order.orderItems.map(({ leftToShip }) => leftToShip)]).toEqual([
    isPaidLate ? 'REFUNDED' : 'CANCELLED',
    ...life.lines.map(() => 0),
  ]);
  await wait();
  expect((await mailsOf(shop, orderId)).map(({ kind }) => kind)).toEqual(isPaidLate ? ['refund'] : []);
}

/** The payment succeeds, its event is late, and the order is canceled before it arrives, several times. */
async function payTooLate({ orderId, sessionId, as, ...order }: Placed, by: 'customer' | 'staff' | 'shop') {
  await shop.control('deliveries', { mode: 'drop' });
  await shop.control('pay', { session: sessionId });
  await transact(shop.db, async (tx) => {
    const row = await lockOrderAndCart(tx, orderId);
    if (row?.status !== 'PENDING_PAYMENT') throw new Error('it was paid first');
    const byUserId = by === 'customer' ? as.userId : staff[0].userId;
    const words = by === 'shop' ? { note: 'Not paid in time' } : { note: notesOfCanceler[by], byUserId };
    await cancelOrder(tx, row, shop.clock.now(), words);
    if (by !== 'staff') return;
    const target = { kind: 'order', id: orderId } as const;
    const actor = { userId: byUserId, requestId: null };
    await writeAudit(tx, { by: actor, action: 'order.canceled', target, now: shop.clock.now() });
  });
  await Promise.all([0, 1].map(() => capture(shop, as, { sessionId, ...order })));
  await capture(shop, as, { sessionId, ...order });
  await shop.control('deliveries', { mode: 'normal' });
}

async function begin({ orderId }: Placed): Promise<Life> {
  const { orderItems } = await read(orderId);
  return {
    orderId,
    lines: orderItems.map(({ orderItemId: id, quantity: ordered }) => ({
      id,
      ordered,
      shipped: 0,
      before: 0,
      after: 0,
    })),
    parcels: [],
    steps: [{ status: 'PAID', by: null, at: now() }],
    isRefunded: false,
  };
}

const read = async (orderId: string): Promise<Schema<'Order'>> =>
  (await shop.call('getOrder', { as: staff[0], path: { orderId } })).data.orderResponse;

async function compare(life: Life, act: string): Promise<void> {
  const order = await read(life.orderId);
  const isOver = life.isRefunded;
  const found = order.orderItems.map(({ refundedQuantity, shippedQuantity, leftToShip }) => [
    refundedQuantity,
    shippedQuantity,
    leftToShip,
  ]);
  const expected = life.lines.map((line) =>
    isOver ? [line.ordered, line.shipped, 0] : [line.before + line.after, line.shipped, leftOf(line)],
  );
  expect([act, order.orderStatus, found]).toEqual([act, isOver ? 'REFUNDED' : statusOf(life), expected]);
  expect(order.parcels?.map(({ id }) => id).toSorted()).toEqual(life.parcels.map(({ id }) => id).toSorted());
  const query = { toShip: true, ids: [life.orderId] };
  const toShip = (await shop.call('listOrders', { as: staff[0], query })).data.orders.totalElements;
  expect([act, toShip]).toEqual([act, sum(expected.map(([, , left = 0]) => left)) > 0 ? 1 : 0]);
}

/** Ships some of what is left, or sometimes more, which is rejected. */
async function ship(life: Life, random: Random): Promise<void> {
  const units = life.lines.map((line) => random.below(leftOf(line) + 1));
  const isTooMany = random.below(5) === 0;
  if (isTooMany) units[0] = leftOf(life.lines[0] as Line) + 1;
  if (sum(units) === 0) return;
  const answer = await create(life, units, random.oneOf(staff), random.below(3) > 0);
  if (isTooMany) expect(answer).toMatchObject({ status: 409, code: 'nothing_left_to_ship' });
}

/** Two staff members ship the same units at the same time: one of them does. */
async function shipTogether(life: Life): Promise<void> {
  const units = life.lines.map(leftOf);
  if (sum(units) === 0) return;
  const before = life.parcels.map(({ id }) => id);
  const answers = await Promise.all(staff.map((by) => send(life, units, by, true)));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
  const place = answers.findIndex(({ status }) => status === 201);
  const parcels = answers[place]?.data.orderResponse.parcels ?? [];
  book(life, { units, by: staff[place] ?? staff[0], isTold: true, id: idOfNew(parcels, before) });
}

const send = ({ orderId, lines }: Life, units: number[], as: Person, notify: boolean) =>
  shop.call('createParcel', {
    as,
    path: { orderId },
    body: {
      lines: lines
        .map(({ id }, at) => ({ orderItemId: id, quantity: units[at] ?? 0 }))
        .filter(({ quantity }) => quantity > 0),
      carrier: 'ups',
      notify,
    },
  });

async function create(life: Life, units: number[], by: Person, isTold: boolean) {
  const before = life.parcels.map(({ id }) => id);
  const answer = await send(life, units, by, isTold);
  if (answer.status === 201)
    book(life, { units, by, isTold, id: idOfNew(answer.data.orderResponse.parcels ?? [], before) });
  return answer;
}

const idOfNew = (parcels: readonly { id: string }[], before: readonly string[]) =>
  parcels.find(({ id }) => !before.includes(id))?.id ?? '';

type Booked = { units: number[]; by: Person; isTold: boolean; id: string };
function book(life: Life, { units, by, isTold, id }: Booked): void {
  for (const [at, line] of life.lines.entries()) line.shipped += units[at] ?? 0;
  const isLast = statusOf(life) === 'PAID' && sum(life.lines.map(leftOf)) === 0;
  life.parcels.push({ id, units, isTold, made: isLast ? 'OUT_FOR_DELIVERY' : null, at: now() });
  if (isLast) life.steps.push({ status: 'OUT_FOR_DELIVERY', by, at: now() });
}

async function refund(life: Life, random: Random): Promise<void> {
  const chosen = life.lines
    .map((line) => ({ line, quantity: random.below(line.ordered - line.before - line.after + 1) }))
    .filter(({ quantity }) => quantity > 0);
  if (chosen.length === 0) return;
  const lines = chosen.map(({ line, quantity }) => {
    const cameBack = random.below(3) === 0;
    const left = leftOf(line);
    const shippedPart = Math.min(line.shipped - line.after, cameBack ? quantity : Math.max(0, quantity - left));
    line.after += shippedPart;
    line.before += quantity - shippedPart;
    return { orderItemId: line.id, quantity, restock: random.below(2) === 0, cameBack };
  });
  const body = { reason: 'Asked for', lines, restock: false };
  const answer = await shop.call('refundOrder', { as: random.oneOf(staff), path: { orderId: life.orderId }, body });
  expect(answer.data.refund.state).toBe('done');
  life.isRefunded = life.lines.every(({ ordered, before, after }) => ordered === before + after);
  const isAllOut = sum(life.lines.map(leftOf)) === 0 && life.parcels.length > 0;
  if (isAllOut && !life.isRefunded && statusOf(life) === 'PAID')
    life.steps.push({ status: 'OUT_FOR_DELIVERY', by: null, at: now() });
}

/** Two staff members cancel it at the same time. What was refunded before is not refunded again. */
async function cancel(life: Life, random: Random): Promise<void> {
  const restock = random.below(2) > 0;
  const presses = staff.map((as) =>
    shop.call('cancelOrder', { as, path: { orderId: life.orderId }, body: { restock } }),
  );
  const answers = await Promise.all(presses);
  const isShipped = life.lines.some(({ shipped }) => shipped > 0);
  expect(answers.map(({ status }) => status)).toEqual(isShipped ? [409, 409] : [200, 200]);
  if (!isShipped) life.isRefunded = true;
}

async function move(life: Life, random: Random): Promise<void> {
  const status = random.oneOf(['OUT_FOR_DELIVERY', 'DELIVERED'] as const);
  const by = random.oneOf(staff);
  const from = statusOf(life);
  if (!canMove(from, status) && life.steps.at(-2)?.status === status) return; // that is an undo
  const answer = await shop.call('updateOrderStatus', { as: by, path: { orderId: life.orderId, status } });
  expect(answer.status).toBe(canMove(from, status) ? 200 : 409);
  if (answer.status !== 200) return;
  const units = life.lines.map(leftOf);
  if (sum(units) > 0) {
    const before = life.parcels.map(({ id }) => id);
    const id = idOfNew(answer.data.orderResponse.parcels ?? [], before);
    for (const line of life.lines) line.shipped += leftOf(line);
    life.parcels.push({ id, units, made: status, isTold: status === 'OUT_FOR_DELIVERY', at: now() });
  }
  life.steps.push({ status, by, at: now() });
}

async function undo(life: Life): Promise<void> {
  const [former, last] = life.steps.slice(-2);
  if (!former || !last?.by || canMove(last.status, former.status)) return; // that is a step forward
  const path = { orderId: life.orderId, status: former.status };
  const answer = await shop.call('updateOrderStatus', { as: last.by, path });
  const may = canMove(former.status, last.status) && now() - last.at <= undoStatusMs;
  expect(answer.status).toBe(may ? 200 : 409);
  if (answer.status !== 200) return;
  for (const parcel of life.parcels.filter(({ made }) => made === last.status)) takeBack(life, parcel);
  life.steps.push({ status: former.status, by: last.by, at: now() });
}

async function remove(life: Life, random: Random): Promise<void> {
  if (life.parcels.length === 0) return;
  const parcel = random.oneOf(life.parcels);
  const by = random.oneOf(staff);
  const answer = await shop.call('deleteParcel', { as: by, path: { orderId: life.orderId, parcelId: parcel.id } });
  const status = statusOf(life);
  const isOpen = status === 'PAID' || status === 'OUT_FOR_DELIVERY';
  expect(answer.status).toBe(isOpen && (!parcel.isTold || now() - parcel.at <= undoStatusMs) ? 200 : 409);
  if (answer.status !== 200) return;
  takeBack(life, parcel);
  if (status === 'PAID' || (life.parcels.length > 0 && sum(life.lines.map(leftOf)) === 0)) return;
  for (const other of life.parcels) other.made = null;
  life.steps.push({ status: 'PAID', by, at: now() });
}

/** Units that were refunded after shipping then never left. */
function takeBack(life: Life, parcel: Parcel): void {
  life.parcels = life.parcels.filter((each) => each !== parcel);
  for (const [at, line] of life.lines.entries()) {
    line.shipped -= parcel.units[at] ?? 0;
    const neverLeft = Math.max(0, line.after - line.shipped);
    line.after -= neverLeft;
    line.before += neverLeft;
  }
}

/** Until no step can be undone, and all mails are sent. */
async function wait(): Promise<void> {
  shop.clock.advance(undoStatusMs + 1);
  staff = [await shop.again(staff[0]), await shop.again(staff[1])];
  await shop.pool.query(`update graphile_worker._private_jobs set run_at = now()`);
  await runDueJobs(shop);
}
