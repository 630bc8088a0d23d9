/**
 * Thousands of hostile texts: each is kept as it is, or refused by its field's name; nothing is ever a mistake of ours. In
 * `npm test` the places take turns, each text being tried in one of them; `npm run test:long` tries each in all.
 */
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fuzzStrings, naughtyStrings, oddTexts, turnOf } from '../../support/hostile';
import { openOrder } from '../../support/buying';
import { contractOperations } from '../../support/contract';
import { multipart } from '../../support/multipart';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

const inTimeMs = 300_000;
let shop: TestShop;
let ana: Person;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  // thousands of writes that need not outlive a crash
  const carelessly = `select set_config('synchronous_commit', 'off', false), pg_sleep(0.2)`;
  await Promise.all(Array.from({ length: 20 }, () => shop.pool.query(carelessly)));
  ana = await shop.signIn();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

/** Fields that take a text, and a call that writes it into some of them and says what came back of each. */
type Place<Field extends string = string> = {
  fields: readonly Field[];
  write: (texts: Partial<Record<Field, string>>) => Promise<Written>;
};
type Written = { status: number; errors: { field: string }[]; back: Record<string, unknown> };

const place = <Field extends string>(fields: readonly Field[], write: Place<Field>['write']): Place => ({
  fields,
  write,
});

const address = { street: '1 Palm Road', city: 'Savannah', state: 'GA', postalCode: '31401' };

const profile = place(['fullName', 'description'], async (texts) => {
  const body = { fullName: 'Ana', email: ana.email, description: null, ...texts };
  const answer = await shop.call('updateProfile', { as: ana, path: { userId: ana.userId }, body });
  return { ...answer, back: answer.data?.user ?? {} };
});

const addresses = place(['street', 'city'], async (texts) => {
  const path = { userId: ana.userId };
  const answer = await shop.call('addAddress', { as: ana, path, body: { ...address, ...texts } });
  const saved = answer.data?.user.addresses.at(-1);
  if (saved) await shop.call('removeAddress', { as: ana, path: { ...path, addressId: saved.id } });
  return { ...answer, back: saved ?? {} };
});

const message = place(['reason'], async (texts) => {
  await shop.pool.query('delete from attempts');
  const answer = await shop.call('createContactMessage', { body: { email: 'ana@example.com', ...texts } });
  const { rows } = await shop.pool.query<{ reason: string }>(
    `delete from contact_messages where email = 'ana@example.com' returning reason`,
  );
  return { ...answer, back: rows[0] ?? {} };
});

/** What staff write for each other at an order. */
async function notePlace(): Promise<Place> {
  const { orderId } = await openOrder(shop);
  const path = { orderId };
  return place(['text'], async (texts) => {
    await shop.pool.query('delete from order_notes');
    const answer = await shop.call('addOrderNote', { as: admin, path, body: texts });
    return { ...answer, back: answer.data?.details.notes[0] ?? {} };
  });
}

/** Staff write it, and it goes out by mail. */
async function replyPlace(): Promise<Place> {
  await shop.call('createContactMessage', { body: { email: 'awa@example.com', reason: 'Hello' } });
  const { data } = await shop.call('listMessages', { as: admin });
  const path = { messageId: data.messages.content[0]?.id ?? '' };
  return place(['text'], async (texts) => {
    await shop.pool.query('delete from message_replies');
    const answer = await shop.call('replyToMessage', { as: admin, path, body: texts });
    return { ...answer, back: answer.data?.replies[0] ?? {} };
  });
}

/** Staff write it, customers read it. */
async function productPlace(): Promise<Place> {
  const { id, categoryId: category } = await shop.stock();
  return place(['name', 'description', 'unitSize', 'origin'], async (texts) => {
    const form = { name: 'Pepper', description: 'Black', price: '4.50', availability: 'true', quantity: '10' };
    const sent = multipart({ ...form, category, ...texts });
    const answer = await shop.call('updateProduct', { as: admin, path: { id }, ...sent });
    return { ...answer, back: answer.data?.product ?? {} };
  });
}

/** Why staff corrected the stock, which the ledger shows. */
async function stockPlace(): Promise<Place> {
  const path = { id: (await shop.stock()).id };
  return place(['reason'], async (texts) => {
    const answer = await shop.call('adjustStock', { as: admin, path, body: { change: 1, ...texts } });
    if (answer.status >= 300) return { ...answer, back: {} };
    const { data } = await shop.call('listStockMovements', { as: admin, path, query: { size: 1 } });
    return { ...answer, back: data.movements.content[0] ?? {} };
  });
}

/** Blanks at the ends are cut, and line ends of a form arrive as browsers write them. */
const tidy = (text: unknown) => (typeof text === 'string' ? text.trim().replaceAll('\r\n', '\n') : text);

/** What is neither kept as it is nor refused by its field's name. */
async function breaches(texts: readonly string[], { fields, write }: Place): Promise<string[]> {
  const found: string[] = [];
  for (const text of texts) {
    for (let left = fields; left.length > 0;) {
      const { status, errors, back } = await write(Object.fromEntries(left.map((field) => [field, text])));
      const refused = left.filter((field) => errors.some((error) => error.field === field));
      if (status === 400 && refused.length > 0) {
        left = left.filter((field) => !refused.includes(field)); // the others are tried without them
        continue;
      }
      if (status === 413) break; // longer than anything that the form could send
      const isKept = (field: string) =>
        tidy(back[field]) === tidy(text) || (back[field] === null && text.trim() === '');
      const lost = status < 300 ? left.filter((field) => !isKept(field)) : left;
      found.push(...lost.map((field) => `${status} ${field} ${JSON.stringify(text).slice(0, 80)}`));
      break;
    }
  }
  return found;
}

describe('each of the 515 naughty strings is kept or refused by name', () => {
  test('there are 515', () => expect(naughtyStrings).toHaveLength(515));
  const places: [name: string, open: () => Place | Promise<Place>][] = [
    ['a name and a description', () => profile],
    ['an address', () => addresses],
    ['a message', () => message],
    ['an answer of staff', replyPlace],
    ['a product', productPlace],
  ];
  test.each(places.map(([name, open], turn) => ({ name, open, turn })))(
    'as $name',
    async ({ open, turn }) => {
      expect(await breaches(turnOf(naughtyStrings, turn, places.length), await open())).toEqual([]);
    },
    inTimeMs,
  );
});

test(
  'each script of the list is text in names, messages, products and notes',
  async () => {
    const places = [profile, message, await productPlace(), await notePlace(), await stockPlace()];
    for (const [turn, each] of places.entries()) {
      expect(await breaches(turnOf(fuzzStrings.xss, turn, places.length), each)).toEqual([]);
    }
  },
  inTimeMs,
);

test('NUL, half characters, directions, invisible signs, stacked accents and very long texts', async () => {
  for (const each of [profile, addresses, message, await stockPlace()])
    expect(await breaches(oddTexts, each)).toEqual([]);
  const inUtf8 = oddTexts.filter((text) => !/\p{Cs}/u.test(text)); // half a character cannot be sent in a form
  expect(await breaches(inUtf8, await productPlace())).toEqual([]);
  const { status, errors } = await profile.write({ fullName: 'a\0b' });
  expect([status, errors[0]?.field]).toEqual([400, 'fullName']);
});

test('line ends and escape sequences in a text reach no header of an answer, and no second log line', async () => {
  shop.logLines.length = 0;
  const texts = [...fuzzStrings.crlf, ...fuzzStrings.terminal_escapes, 'x\r\nSet-Cookie: a=b', 'x\nBcc: b@example.com'];
  for (const each of [profile, message]) expect(await breaches(texts, each)).toEqual([]);
  for (const text of texts) {
    const answer = await shop.app.inject({ url: `/login?redirect=${encodeURIComponent(text)}` });
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
  for (const line of shop.logLines) {
    expect(line.endsWith('\n')).toBe(true);
    expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u);
  }
});

describe('SQL in every place', () => {
  const lists = [...fuzzStrings.sql, ...fuzzStrings.nosql];

  test(
    'in the search, the paths and the queries: an answer or a refusal, never a mistake',
    async () => {
      const statuses = new Map<number, number>();
      for (const [at, text] of lists.entries()) {
        const part = encodeURIComponent(text);
        const requests: InjectOptions[] = [
          { url: `/api/public/products?page=${part}` },
          { url: `/api/public/products?origin=${part}` },
          { url: `/api/public/products/${part}` },
          { url: `/api/public/products/category/${part}` },
          { url: `/api/public/order/${part}`, headers: { authorization: `Bearer ${ana.token}` } },
          {
            url: `/api/public/order/check-status?session_id=${part}`,
            headers: { authorization: `Bearer ${ana.token}` },
          },
          { url: `/api/admin/orders?status=${part}`, headers: { authorization: `Bearer ${admin.token}` } },
          { url: `/api/admin/users/${part}`, headers: { authorization: `Bearer ${admin.token}` } },
        ];
        for (const request of turnOf(requests, at % 4, 4)) {
          const { statusCode } = await shop.app.inject(request);
          statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
        }
      }
      expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    },
    inTimeMs,
  );

  const places = [...contractOperations.values()]
    .filter(({ path, method }) => method === 'GET' && path.startsWith('/admin/') && !path.includes('{'))
    .flatMap(({ path, parameters = [] }) =>
      parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => ({ path, name })),
    );

  test(
    'in each parameter of each list of the back office: an answer or a refusal',
    async () => {
      const headers = { authorization: `Bearer ${(await shop.signIn({ role: 'ROLE_OWNER' })).token}` };
      for (const [turn, { path, name }] of places.entries()) {
        for (const text of turnOf([...lists.slice(0, 20), '\0', '%', '\\', "'"], turn % 6, 6)) {
          const url = `/api${path}?${name}=${encodeURIComponent(text)}`;
          const { statusCode } = await shop.app.inject({ url, headers });
          expect([200, 400], `${path} ${name} ${text}`).toContain(statusCode);
        }
      }
    },
    inTimeMs,
  );

  test(
    'in every text that is kept: it is kept as it is',
    async () => {
      for (const [turn, each] of [profile, message].entries()) {
        expect(await breaches(turnOf(lists, turn, 2), each)).toEqual([]);
      }
    },
    inTimeMs,
  );

  test(
    'as an email at the login: nobody',
    async () => {
      for (const text of lists.slice(0, 40)) {
        await shop.pool.query('delete from attempts');
        const answer = await shop.call('login', { body: { email: text, password: text || 'x' } });
        expect([400, 401]).toContain(answer.status);
      }
    },
    inTimeMs,
  );
});
