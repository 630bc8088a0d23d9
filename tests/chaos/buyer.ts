/** A buyer who remembers what the shop confirmed, and so knows what must be in its database. */
import { randomUUID } from 'node:crypto';
import type { Answer, Caller } from './caller';
import type { Provider } from './provider';
import type { Random } from './random';

export type Buyer = {
  userId: string;
  /** Units by product that the shop confirmed, less those removed from the cart again. */
  added: Map<string, number>;
  /** Ids of orders that the shop confirmed, and of those whose payment it confirmed. */
  ordered: Set<string>;
  captured: Set<string>;
  acknowledged: number;
  act: () => Promise<void>;
};
type Placed = { orderId: string; sessionId: string };
type Parts = {
  caller: Caller;
  cartId: string;
  productIds: readonly string[];
  provider: Pick<Provider, 'pay'>;
  random: Random;
  /** All buyers, this one included. */
  others: readonly Buyer[];
};

const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
const sessionIn = /cs_test_\w+/;

export function createBuyer({ caller, cartId, productIds, provider, random, others }: Parts): Buyer {
  const { userId, call } = caller;
  const added = new Map<string, number>();
  const ordered = new Set<string>();
  const captured = new Set<string>();
  /** The order that waits for its payment, and paid orders whose result page was not opened yet. */
  let open: Placed | undefined;
  const unseen: Placed[] = [];

  const buyer: Buyer = { userId, added, ordered, captured, acknowledged: 0, act };
  return buyer;

  async function act(): Promise<void> {
    const choice = random.next();
    if (open && choice < 0.3) return pay(open);
    if (choice < 0.75) return add();
    if (choice < 0.93) return order();
    if (choice < 0.97) return lookAtOrder();
    if (choice < 0.98) return lookAtForeignOrder();
    return caller.refresh();
  }

  async function add(): Promise<void> {
    const productId = random.oneOf(productIds);
    const quantity = 1 + random.below(3);
    const path = `/public/cart/add/${userId}`;
    const answer = await call({ path, body: { productId, quantity }, key: randomUUID() });
    if (answer.status === 409) return; // sold out, or the limit of a cart
    acknowledge(answer, 200);
    note(productId, quantity);
  }

  async function order(): Promise<void> {
    const path = `/public/order/${userId}/payment/${cartId}`;
    const answer = await call({ path, body: { customer: 'Example Customer', deliveryAddress }, key: randomUUID() });
    if (answer.code === 'order_again_later') return; // staff canceled the last orders
    if (answer.status === 409) return answer.code === 'cart_empty' ? undefined : clear();
    acknowledge(answer, 201);
    const { orderId, paymentUrl } = answer.data as unknown as { orderId: string; paymentUrl: string };
    ordered.add(orderId);
    open = { orderId, sessionId: sessionIn.exec(paymentUrl)?.[0] ?? '' };
  }

  /** Pays, and then returns to the shop or closes the browser. */
  async function pay(order: Placed): Promise<void> {
    open = undefined;
    if (!(await provider.pay(order.sessionId))) return;
    unseen.push(order);
    if (random.next() < 0.5) await comeBack();
  }

  async function comeBack(): Promise<void> {
    for (const { orderId, sessionId } of unseen.splice(0)) {
      const query = new URLSearchParams({ session_id: sessionId, user_id: userId, cart_id: cartId });
      const answer = await call({ method: 'GET', path: `/public/order/payment/success?${query.toString()}` });
      acknowledge(answer, 200);
      captured.add(orderId);
    }
  }

  /** Clears a cart that cannot be ordered. The cart's content is certain only when no payment is in flight. */
  async function clear(): Promise<void> {
    await comeBack();
    open = undefined;
    const { data } = await call({ method: 'GET', path: `/public/cart/${userId}` });
    const { cartItems } = data['cartResponse'] as unknown as { cartItems: { productId: string; quantity: number }[] };
    acknowledge(await call({ method: 'PUT', path: `/public/cart/${userId}/clear`, key: randomUUID() }), 200);
    for (const { productId, quantity } of cartItems) note(productId, -quantity);
  }

  async function lookAtOrder(): Promise<void> {
    if (ordered.size === 0) return;
    const orderId = random.oneOf([...ordered]);
    const { status } = await call({ method: 'GET', path: `/public/order/${orderId}` });
    if (status !== 200) throw new Error(`the order ${orderId} was confirmed and is now answered with ${status}`);
  }

  /** Rule: docs/rules/failures.md, Invariants */
  async function lookAtForeignOrder(): Promise<void> {
    const orderIds = others.flatMap((other) => (other === buyer ? [] : [...other.ordered]));
    if (orderIds.length === 0) return;
    const { status } = await call({ method: 'GET', path: `/public/order/${random.oneOf(orderIds)}` });
    if (status !== 404) throw new Error(`somebody else's order returned ${status}`);
  }

  function acknowledge(answer: Answer, expected: number): void {
    if (answer.status !== expected) throw new Error(`a buyer was answered ${answer.status} ${answer.code}`);
    buyer.acknowledged++;
  }

  function note(productId: string, units: number): void {
    added.set(productId, (added.get(productId) ?? 0) + units);
  }
}
