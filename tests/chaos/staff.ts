/** A member of the staff who ships paid orders and adds stock, and remembers what the shop confirmed. */
import { randomUUID } from 'node:crypto';
import type { Caller } from './caller';
import type { Random } from './random';

export type Staff = {
  moved: { orderId: string; status: string }[];
  /** The tracking numbers of the parcels. */
  shipped: string[];
  /** Units by product. */
  restocked: Map<string, number>;
  acknowledged: number;
  act: () => Promise<void>;
};
type Parts = { caller: Caller; productIds: readonly string[]; random: Random };
type Product = {
  name: string;
  description: string;
  price: number;
  quantity: number;
  productCategory: { name: string };
};

type Order = { id: string; orderItems: { orderItemId: string; leftToShip: number }[] };

const nextOf = { PAID: 'OUT_FOR_DELIVERY', OUT_FOR_DELIVERY: 'DELIVERED' } as const;
const lowStock = 20;
const unitsPerDelivery = 40;

export function createStaff({ caller: { call }, productIds, random }: Parts): Staff {
  const staff: Staff = { moved: [], shipped: [], restocked: new Map(), acknowledged: 0, act };
  return staff;

  async function act(): Promise<void> {
    const chance = random.next();
    if (chance < 0.5) return restock(random.oneOf(productIds));
    return chance < 0.75 ? shipPart() : moveOne(random.oneOf(['PAID', 'OUT_FOR_DELIVERY']));
  }

  /** The form sends the quantity at its opening too, so only the difference is booked. */
  async function restock(productId: string): Promise<void> {
    const { data } = await call({ method: 'GET', path: `/public/products/${productId}` });
    const product = data['product'] as unknown as Product;
    if (product.quantity > lowStock) return;
    const answer = await call({
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

  async function shipPart(): Promise<void> {
    const { data } = await call({ method: 'GET', path: '/admin/orders?status=PAID&size=20' });
    const { content } = data['orders'] as unknown as { content: Order[] };
    if (content.length === 0) return;
    const { id, orderItems } = random.oneOf(content);
    const left = orderItems.filter(({ leftToShip }) => leftToShip > 0);
    if (left.length === 0) return;
    const { orderItemId, leftToShip } = random.oneOf(left);
    const trackingNumber = randomUUID();
    const lines = [{ orderItemId, quantity: 1 + random.below(leftToShip) }];
    const answer = await call({
      method: 'POST',
      path: `/admin/orders/${id}/parcels`,
      key: randomUUID(),
      body: { lines, carrier: 'other', trackingNumber },
    });
    if (answer.status === 409) return; // a colleague was faster
    if (answer.status !== 201) throw new Error(`a parcel was answered ${answer.status} ${answer.code}`);
    staff.shipped.push(trackingNumber);
    staff.acknowledged++;
  }

  async function moveOne(from: keyof typeof nextOf): Promise<void> {
    const { data } = await call({ method: 'GET', path: `/admin/orders?status=${from}&size=20` });
    const { content } = data['orders'] as unknown as { content: { id: string }[] };
    if (content.length === 0) return;
    const { id: orderId } = random.oneOf(content);
    const status = nextOf[from];
    const answer = await call({ method: 'PUT', path: `/admin/orders/${orderId}/update/${status}`, key: randomUUID() });
    if (answer.status === 409) return; // a colleague was faster
    if (answer.status !== 200) throw new Error(`moving an order was answered ${answer.status} ${answer.code}`);
    staff.moved.push({ orderId, status });
    staff.acknowledged++;
  }
}
