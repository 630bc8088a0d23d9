/**
 * A member of the staff who ships, refunds and cancels orders and adds stock, and remembers what the shop confirmed.
 * Sometimes a colleague acts on the same order at once.
 */
import { randomUUID } from 'node:crypto';
import type { Caller } from './caller';
import { type Confirmed, createOrderActs, type Order, type OrderAct } from './orderActs';
import type { Random } from './random';

export type Staff = Confirmed & {
  /** Units by product. */
  restocked: Map<string, number>;
  act: () => Promise<void>;
};
type Parts = { caller: Caller; colleague: Caller; productIds: readonly string[]; random: Random };
type Product = {
  name: string;
  description: string;
  price: number;
  quantity: number;
  productCategory: { name: string };
};

const restockShare = 0.2;
const togetherShare = 0.3;
const lowStock = 20;
const unitsPerDelivery = 40;

export function createStaff({ caller, colleague, productIds, random }: Parts): Staff {
  const confirmed: Confirmed = { moved: [], parcels: [], refunds: [], canceled: [], acknowledged: 0 };
  const staff: Staff = Object.assign(confirmed, { restocked: new Map<string, number>(), act });
  const { ship, refund, cancel, move } = createOrderActs(random, staff);
  /** The more often an act is named, the more often it is chosen. */
  const actsOf: Record<string, OrderAct[]> = {
    PENDING_PAYMENT: [cancel],
    PAID: [ship, ship, ship, ship, refund, refund, move, move, cancel],
    OUT_FOR_DELIVERY: [move, move, refund],
    DELIVERED: [refund],
  };
  const statuses = [
    'PENDING_PAYMENT',
    'PAID',
    'PAID',
    'PAID',
    'PAID',
    'OUT_FOR_DELIVERY',
    'OUT_FOR_DELIVERY',
    'DELIVERED',
  ];
  return staff;

  async function act(): Promise<void> {
    if (random.next() < restockShare) return restock(random.oneOf(productIds));
    const status = random.oneOf(statuses);
    const order = await findOne(status);
    const acts = actsOf[status];
    if (!order || !acts) return;
    const callers = random.next() < togetherShare ? [caller, colleague] : [caller];
    await Promise.all(callers.map((by) => random.oneOf(acts)(order, by)));
  }

  async function findOne(status: string): Promise<Order | undefined> {
    const { data, ...answer } = await caller.call({ method: 'GET', path: `/admin/orders?status=${status}&size=20` });
    if (answer.status !== 200) throw new Error(`the list of orders was answered ${answer.status} ${answer.code}`);
    const { content } = data['orders'] as unknown as { content: Order[] };
    return content.length === 0 ? undefined : random.oneOf(content);
  }

  /** The form sends the quantity at its opening too, so only the difference is booked. */
  async function restock(productId: string): Promise<void> {
    const { data } = await caller.call({ method: 'GET', path: `/public/products/${productId}` });
    const product = data['product'] as unknown as Product;
    if (product.quantity > lowStock) return;
    const answer = await caller.call({
      method: 'PUT',
      path: `/admin/products/update/${productId}`,
      key: randomUUID(),
      form: {
        name: product.name,
        description: product.description,
        price: product.price.toFixed(2),
        availability: 'true', // a sold-out product is shown as not available
        quantity: String(product.quantity + unitsPerDelivery),
        quantityWas: String(product.quantity),
        category: product.productCategory.name,
      },
    });
    if (answer.status !== 200) throw new Error(`the product form was answered ${answer.status} ${answer.code}`);
    staff.restocked.set(productId, (staff.restocked.get(productId) ?? 0) + unitsPerDelivery);
    staff.acknowledged++;
  }
}
