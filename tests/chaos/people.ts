/** The people of a chaos run: ten buyers with accounts of their own, and two of the staff. */
import { randomUUID } from 'node:crypto';
import { createBuyer, type Buyer } from './buyer';
import { logIn, untilAnswered, type Seen } from './caller';
import type { Provider } from './provider';
import type { Random } from './random';
import { owner, type Shop } from './shop';
import { createStaff } from './staff';

const buyerCount = 10;
const staffCount = 2;
/** Few products, so that buyers compete and some products sell out. */
const productCount = 8;

export type People = Awaited<ReturnType<typeof openPeople>>;
type Parts = { shop: Pick<Shop, 'url'>; provider: Provider; seen: Seen; random: Random };

export async function openPeople({ shop: { url }, provider, seen, random }: Parts) {
  const list = await untilAnswered(url, { method: 'GET', path: `/public/products?size=${productCount}` }, seen);
  const { content } = list.data['products'] as unknown as { content: { id: string }[] };
  const productIds = content.map(({ id }) => id);
  const staff = [];
  for (let each = 0; each < staffCount; each++)
    staff.push(createStaff({ caller: await logIn(url, owner, seen), productIds, random }));
  const buyers: Buyer[] = [];
  for (let each = 0; each < buyerCount; each++) {
    const caller = await logIn(url, await register(url, seen), seen);
    const { data } = await caller.call({ method: 'GET', path: `/public/cart/${caller.userId}` });
    const { cartId } = data['cartResponse'] as unknown as { cartId: string };
    buyers.push(createBuyer({ caller, cartId, productIds, provider, random, others: buyers }));
  }
  return { buyers, staff };
}

async function register(url: string, seen: Seen): Promise<{ email: string; password: string }> {
  const login = { email: `buyer-${randomUUID()}@example.com`, password: 'pepper and salt 1' };
  const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const body = { fullName: 'Awa Jallow', ...login, confirmPassword: login.password, ...address };
  const { status, code } = await untilAnswered(url, { path: '/auth/register', body }, seen);
  if (status !== 201) throw new Error(`a buyer could not register: ${status} ${code}`);
  return login;
}
