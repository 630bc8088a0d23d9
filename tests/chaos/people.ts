/** The people of a chaos run: ten buyers with accounts of their own, the owner, and a colleague. */
import { randomUUID } from 'node:crypto';
import { createBuyer, type Buyer } from './buyer';
import { type Caller, logIn, type Login, untilAnswered, type Seen } from './caller';
import type { Provider } from './provider';
import type { Random } from './random';
import { owner, type Shop } from './shop';
import { createStaff } from './staff';

const buyerCount = 10;
/** Few products, so that buyers compete and some products sell out. */
const productCount = 8;

export type People = Awaited<ReturnType<typeof openPeople>>;
type Parts = { shop: Pick<Shop, 'url'>; provider: Provider; seen: Seen; random: Random };

export async function openPeople({ shop: { url }, provider, seen, random }: Parts) {
  const list = await untilAnswered(url, { method: 'GET', path: `/public/products?size=${productCount}` }, seen);
  const { content } = list.data['products'] as unknown as { content: { id: string }[] };
  const productIds = content.map(({ id }) => id);
  const first = await logIn(url, owner, seen);
  const second = await logIn(url, await addColleague(first), seen);
  const staff = [
    createStaff({ caller: first, colleague: second, productIds, random }),
    createStaff({ caller: second, colleague: first, productIds, random }),
  ];
  const buyers: Buyer[] = [];
  for (let each = 0; each < buyerCount; each++) {
    const caller = await logIn(url, await register(url, seen), seen);
    const { data } = await caller.call({ method: 'GET', path: `/public/cart/${caller.userId}` });
    const { cartId } = data['cartResponse'] as unknown as { cartId: string };
    buyers.push(createBuyer({ caller, cartId, productIds, provider, random, others: buyers }));
  }
  return { buyers, staff };
}

/** A customer that the owner makes an admin: one who is added as an admin must first change the password. */
async function addColleague({ call }: Caller): Promise<Login> {
  const login = newLogin('staff');
  const body = { ...accountOf(login), role: 'ROLE_USER' };
  const added = await call({ path: '/admin/users', body, key: randomUUID() });
  const { id } = added.data['user'] as unknown as { id: string };
  const { status, code } = await call({
    method: 'PUT',
    path: `/admin/users/${id}/role?role=ROLE_ADMIN`,
    key: randomUUID(),
  });
  if (status !== 200) throw new Error(`a customer could not become a colleague: ${status} ${code}`);
  return login;
}

async function register(url: string, seen: Seen): Promise<Login> {
  const login = newLogin('buyer');
  const body = accountOf(login);
  const { status, code } = await untilAnswered(url, { path: '/auth/register', body }, seen);
  if (status !== 201) throw new Error(`a buyer could not register: ${status} ${code}`);
  return login;
}

const newLogin = (kind: string): Login => ({
  email: `${kind}-${randomUUID()}@example.com`,
  password: 'pepper and salt 1',
});
const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
const accountOf = (login: Login) => ({
  fullName: 'Awa Jallow',
  ...login,
  confirmPassword: login.password,
  ...address,
});
