/** Customers with carts and access tokens, written straight into the bench's database: thousands within a second. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createAccessTokens } from '../../src/server/auth/sessions/accessTokens';
import type { Holding } from '../../src/server/auth/sessions/liveSessions';
import { accessTokenMinutes, tokenKeysOf } from '../../src/server/auth/core/tokenKeys';

export type Buyer = { userId: string; cartId: string; token: string };
export type Product = { id: string; name: string; priceCents: number };

const plenty = 1_000_000;

/** @returns the products on sale, of each of which there is more than the bench can buy */
export async function fillShelves(pool: Pool): Promise<Product[]> {
  const { rows } = await pool.query<Product>(
    `update products set quantity = $1, availability = true where archived_at is null
     returning id, name, price_cents as "priceCents"`,
    [plenty],
  );
  return rows;
}

export async function createBuyers(pool: Pool, count: number, sessionSecret: string): Promise<Buyer[]> {
  const tokens = tokensOf(sessionSecret);
  const now = new Date();
  const endsAt = new Date(now.getTime() + accessTokenMinutes * 60_000);
  const buyers: Buyer[] = [];
  const sessions: Holding[] = [];
  for (let each = 0; each < count; each++) {
    const userId = randomUUID();
    const familyId = randomUUID();
    const session = { userId, role: 'ROLE_CUSTOMER' as const, familyId, refreshNumber: 0 };
    sessions.push(session);
    buyers.push({ userId, cartId: randomUUID(), token: await tokens.issue(session, now, endsAt) });
  }
  const userIds = buyers.map(({ userId }) => userId);
  await pool.query(
    `insert into users (id, email, email_key, full_name, role, password_hash, created_at)
     select id, id || '@example.com', id || '@example.com', 'Awa Jallow', 'ROLE_CUSTOMER', 'none', $2
     from unnest($1::uuid[]) as id`,
    [userIds, now],
  );
  await pool.query(
    `insert into carts (id, user_id, created_at) select cart_id, user_id, $3
     from unnest($1::uuid[], $2::uuid[]) as cart(cart_id, user_id)`,
    [buyers.map(({ cartId }) => cartId), userIds, now],
  );
  await insertFamilies(pool, sessions, now);
  return buyers;
}

async function insertFamilies(pool: Pool, sessions: readonly Holding[], now: Date): Promise<void> {
  await pool.query(
    `insert into session_families (id, user_id, token_hash, remember_me, created_at, refreshed_at)
     select family_id, user_id, sha256(family_id::text::bytea), false, $3, $3
     from unnest($1::uuid[], $2::uuid[]) as family(family_id, user_id)`,
    [sessions.map(({ familyId }) => familyId), sessions.map(({ userId }) => userId), now],
  );
}

/** Puts two products into each cart, different ones for each buyer. */
export async function fillCarts(pool: Pool, buyers: readonly Buyer[], products: readonly Product[]): Promise<void> {
  const chosen = buyers.flatMap(({ cartId }, each) =>
    [each, each + 1 + (each % 7)].map((index) => ({ cartId, product: products[index % products.length] })),
  );
  await pool.query(
    `insert into cart_items (id, cart_id, product_id, quantity, confirmed_price_cents, created_at)
     select gen_random_uuid(), cart_id, product_id, 2, price_cents, $4
     from unnest($1::uuid[], $2::uuid[], $3::int[]) as line(cart_id, product_id, price_cents)`,
    [
      chosen.map(({ cartId }) => cartId),
      chosen.map(({ product }) => product?.id),
      chosen.map(({ product }) => product?.priceCents),
      new Date(),
    ],
  );
}

/** An access token with the owner's role. */
export async function ownerToken(pool: Pool, userId: string, sessionSecret: string): Promise<string> {
  const session = { userId, role: 'ROLE_OWNER' as const, familyId: randomUUID(), refreshNumber: 0 };
  const now = new Date();
  await insertFamilies(pool, [session], now);
  return tokensOf(sessionSecret).issue(session, now, new Date(now.getTime() + accessTokenMinutes * 60_000));
}

const tokensOf = (sessionSecret: string) => createAccessTokens(tokenKeysOf(sessionSecret));

type Adding = { url: string; buyers: readonly Buyer[]; products: readonly Product[]; until: Promise<unknown> };

/** Each buyer adds one product after the other. @returns the time of each call, in milliseconds */
export async function addToCarts({ url, buyers, products, until }: Adding): Promise<number[]> {
  const state = { isOver: false };
  void until.then(
    () => (state.isOver = true),
    () => (state.isOver = true),
  );
  const durations: number[] = [];
  const buy = async ({ userId, token }: Buyer, each: number) => {
    for (let call = 0; !state.isOver; call++) {
      const productId = products[(each * 7 + call) % products.length]?.id;
      const began = performance.now();
      const answer = await fetch(`${url}/api/public/cart/add/${userId}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ productId, quantity: 1 }),
      });
      await answer.arrayBuffer();
      const tookMs = performance.now() - began;
      if (answer.status === 200) durations.push(tookMs);
      else if (answer.status !== 409) throw new Error(`cart add: ${answer.status}`); // 409: the line is full
      await pause(20);
    }
  };
  await Promise.all(buyers.map(buy));
  return durations;
}

export function p95(durations: readonly number[]): number {
  const sorted = durations.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
}
