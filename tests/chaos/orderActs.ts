/** What staff do with an order. Sometimes a request is sent twice at once; what the shop confirmed is remembered once. */
import { randomUUID } from 'node:crypto';
import { toCents } from '../../src/shared/money';
import type { Answer, Call, Caller } from './caller';
import type { Random } from './random';

export type Order = { id: string; orderStatus: string; orderItems: OrderItem[] };
type OrderItem = { orderItemId: string; quantity: number; refundedQuantity: number; leftToShip: number };
export type OrderAct = (order: Order, by: Caller) => Promise<void>;

/** What the shop confirmed. */
export type Confirmed = {
  moved: { orderId: string; status: string }[];
  parcels: { trackingNumber: string; orderItemId: string; quantity: number; notify: boolean }[];
  refunds: { reason: string; orderId: string; cents: number; lines: RefundedLine[] }[];
  canceled: { reason: string; orderId: string }[];
  acknowledged: number;
};
export type RefundedLine = { orderItemId: string; quantity: number; restock: boolean; cameBack: boolean };

const nextOf: Record<string, string | undefined> = { PAID: 'OUT_FOR_DELIVERY', OUT_FOR_DELIVERY: 'DELIVERED' };
const twiceShare = 0.25;

export function createOrderActs(random: Random, confirmed: Confirmed) {
  return { ship, refund, cancel, move } satisfies Record<string, OrderAct>;

  /** Ships some units of one line. */
  async function ship({ id, orderItems }: Order, by: Caller): Promise<void> {
    const left = orderItems.filter(({ leftToShip }) => leftToShip > 0);
    if (left.length === 0) return;
    const { orderItemId, leftToShip } = random.oneOf(left);
    const trackingNumber = randomUUID();
    const quantity = 1 + random.below(leftToShip);
    const notify = random.next() < 0.8;
    const body = { lines: [{ orderItemId, quantity }], carrier: 'other', trackingNumber, notify };
    const answer = await send(by, { path: `/admin/orders/${id}/parcels`, body });
    if (answer) confirmed.parcels.push({ trackingNumber, orderItemId, quantity, notify });
  }

  /** Refunds units of some lines, shipped or not. */
  async function refund({ id: orderId, orderItems }: Order, by: Caller): Promise<void> {
    const lines = orderItems.flatMap(({ orderItemId, quantity: ordered, refundedQuantity }) => {
      const most = ordered - refundedQuantity;
      if (most === 0 || random.next() < 0.3) return [];
      const [restock, cameBack] = [random.next() < 0.5, random.next() < 0.5];
      return [{ orderItemId, quantity: 1 + random.below(most), restock, cameBack }];
    });
    if (lines.length === 0) return;
    const reason = randomUUID();
    const answer = await send(by, { path: `/admin/orders/${orderId}/refund`, body: { reason, lines } });
    if (!answer) return;
    const { amount } = answer.data['refund'] as unknown as { amount: number };
    confirmed.refunds.push({ reason, orderId, cents: toCents(amount), lines });
  }

  async function cancel({ id: orderId }: Order, by: Caller): Promise<void> {
    const reason = randomUUID();
    const body = { reason, restock: random.next() < 0.5 };
    if (await send(by, { path: `/admin/orders/${orderId}/cancel`, body })) confirmed.canceled.push({ reason, orderId });
  }

  async function move({ id: orderId, orderStatus }: Order, by: Caller): Promise<void> {
    const status = nextOf[orderStatus];
    if (status === undefined) return;
    const answer = await send(by, { method: 'PUT', path: `/admin/orders/${orderId}/update/${status}` });
    if (answer) confirmed.moved.push({ orderId, status });
  }

  /** @returns undefined when a colleague was faster */
  async function send({ call }: Caller, asked: Call): Promise<Answer | undefined> {
    const same = { ...asked, key: randomUUID() };
    const answers = random.next() < twiceShare ? await Promise.all([call(same), call(same)]) : [await call(same)];
    for (const { status, code } of answers)
      if (status >= 300 && (status !== 409 || code === 'refund_refused'))
        throw new Error(`${asked.path} was answered ${status} ${code}`);
    const answer = answers.find(({ status }) => status < 300);
    if (answer) confirmed.acknowledged++;
    return answer;
  }
}
