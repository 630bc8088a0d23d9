/** Thousands of hostile texts: each is kept as it is, or refused by its field's name; nothing is ever a mistake of ours. */
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emailRule } from '../../src/shared/authForms';
import { fuzzStrings, jsonBodies, naughtyStrings, oddTexts } from '../support/hostile';
import { openOrder } from '../support/buying';
import { contractOperations } from '../support/contract';
import { multipart } from '../support/multipart';
import { openShop, type Person, type TestShop } from '../support/shop';

let shop: TestShop;
let ana: Person;
let admin: Person;
beforeAll(async () => {
  shop = await openShop();
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
      const isKept = (field: string) =>
        tidy(back[field]) === tidy(text) || (back[field] === null && text.trim() === '');
      const lost = status < 300 ? left.filter((field) => !isKept(field)) : left;
      found.push(...lost.map((field) => `${status} ${field} ${JSON.stringify(text).slice(0, 80)}`));
      break;
    }
  }
  return found;
}

describe('G6: each of the 515 naughty strings is kept or refused by name', () => {
  test('G6: there are 515', () => expect(naughtyStrings).toHaveLength(515));
  test(
    'G6: as a name and a description',
    async () => expect(await breaches(naughtyStrings, profile)).toEqual([]),
    180_000,
  );
  test('G6: as an address', async () => expect(await breaches(naughtyStrings, addresses)).toEqual([]), 180_000);
  test('G6: as a message', async () => expect(await breaches(naughtyStrings, message)).toEqual([]), 180_000);
  test(
    'G6: as an answer of staff',
    async () => expect(await breaches(naughtyStrings, await replyPlace())).toEqual([]),
    180_000,
  );
  test(
    'G6: as a product',
    async () => expect(await breaches(naughtyStrings, await productPlace())).toEqual([]),
    180_000,
  );
});

test('G5: each script of the list is text in names, messages, products and notes', async () => {
  for (const each of [profile, message, await productPlace(), await notePlace(), await stockPlace()])
    expect(await breaches(fuzzStrings.xss, each)).toEqual([]);
}, 180_000);

test('G7: NUL, half characters, directions, invisible signs, stacked accents and very long texts', async () => {
  for (const each of [profile, addresses, message, await stockPlace()])
    expect(await breaches(oddTexts, each)).toEqual([]);
  const inUtf8 = oddTexts.filter((text) => !/\p{Cs}/u.test(text)); // half a character cannot be sent in a form
  expect(await breaches(inUtf8, await productPlace())).toEqual([]);
  const { status, errors } = await profile.write({ fullName: 'a\0b' });
  expect([status, errors[0]?.field]).toEqual([400, 'fullName']);
});

test('G15: line ends and escape sequences in a text reach no header of an answer, and no second log line', async () => {
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

describe('G4: SQL in every place', () => {
  const lists = [...fuzzStrings.sql, ...fuzzStrings.nosql];

  test('G4: in the search, the paths and the queries: an answer or a refusal, never a mistake', async () => {
    const statuses = new Map<number, number>();
    for (const text of lists) {
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
      for (const request of requests) {
        const { statusCode } = await shop.app.inject(request);
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      }
    }
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  }, 180_000);

  const places = [...contractOperations.values()]
    .filter(({ path, method }) => method === 'GET' && path.startsWith('/admin/') && !path.includes('{'))
    .flatMap(({ path, parameters = [] }) =>
      parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => ({ path, name })),
    );

  test('G4: in each parameter of each list of the back office: an answer or a refusal', async () => {
    const headers = { authorization: `Bearer ${(await shop.signIn({ role: 'ROLE_OWNER' })).token}` };
    for (const { path, name } of places) {
      for (const text of [...lists.slice(0, 20), '\0', '%', '\\', "'"]) {
        const url = `/api${path}?${name}=${encodeURIComponent(text)}`;
        const { statusCode } = await shop.app.inject({ url, headers });
        expect([200, 400], `${path} ${name} ${text}`).toContain(statusCode);
      }
    }
  }, 180_000);

  test('G4: in every text that is kept: it is kept as it is', async () => {
    for (const each of [profile, message]) expect(await breaches(lists, each)).toEqual([]);
  }, 180_000);

  test('G4: as an email at the login: nobody', async () => {
    for (const text of lists.slice(0, 40)) {
      await shop.pool.query('delete from attempts');
      const answer = await shop.call('login', { body: { email: text, password: text || 'x' } });
      expect([400, 401]).toContain(answer.status);
    }
  }, 180_000);
});

describe('G12: each of the 318 bodies of the JSON suite', () => {
  const unreadable = 'The request could not be read';
  const send = async (url: string, payload: Buffer, as?: Person) => {
    const answer = await shop.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as.token}` }) },
      payload,
    });
    return { status: answer.statusCode, message: answer.json<{ message: string }>().message };
  };

  test('G12: there are 318', () => expect(jsonBodies).toHaveLength(318));

  test('G12: is parsed rightly or refused, and no call makes a mistake of it', async () => {
    const wrong: string[] = [];
    for (const { name, expected, body } of jsonBodies) {
      await shop.pool.query('delete from attempts');
      const calls: [string, Person | undefined][] = [
        [`/api/public/cart/add/${ana.userId}`, ana],
        ['/api/auth/login', undefined],
        ['/api/auth/register', undefined],
        ['/api/public/contact/create', undefined],
      ];
      for (const [url, as] of calls) {
        const { status, message: said } = await send(url, body, as);
        if (status !== 400 && status !== 413) wrong.push(`${name}: ${status} at ${url}`);
        // what is JSON was read, and then refused for not being what the call takes
        if (expected === 'accept' && said === unreadable) wrong.push(`${name}: not read at ${url}`);
      }
      if (expected === 'reject' && body.length > 0 && isUtf8(body)) {
        const { message: said } = await send(`/api/public/cart/add/${ana.userId}`, body, ana);
        if (said !== unreadable) wrong.push(`${name}: read as if it were JSON`);
      }
    }
    expect(wrong).toEqual([]);
  }, 180_000);

  const isUtf8 = (body: Buffer) => Buffer.from(body.toString('utf8')).equals(body);
});

test('G14: fields and parameters that come twice: the last field counts, and of two parameters none', async () => {
  const { id: productId } = await shop.stock();
  const headers = { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' };
  const answer = await shop.app.inject({
    method: 'POST',
    url: `/api/public/cart/add/${ana.userId}`,
    headers,
    payload: `{"productId":"${productId}","quantity":1,"quantity":2}`,
  });
  expect(answer.json<{ data: { cartResponse: { cartItems: object[] } } }>().data.cartResponse.cartItems).toMatchObject([
    { quantity: 2 },
  ]);
  for (const query of [
    'page=0&page=1',
    'page[]=0',
    'page[0]=1',
    ...fuzzStrings.parameter_pollution.map((part) => part.slice(1)),
  ]) {
    const { statusCode } = await shop.app.inject({ url: `/api/public/products?${encodeURI(query)}` });
    expect([400, 404], query).toContain(statusCode);
  }
});

describe('E10: email addresses', () => {
  test('E10: what is no address is refused, and what is one is taken', () => {
    const isEmail = (text: string) => emailRule.safeParse(text).success;
    // the rule is the specification's simple one: something before the @, a host with a dot after it, no blanks
    const takenAnyway = new Set(
      fuzzStrings.email_invalid.filter((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())),
    );
    expect(fuzzStrings.email_invalid.filter((text) => isEmail(text) && !takenAnyway.has(text))).toEqual([]);
    const unusual = fuzzStrings.email_valid.filter((text) => !isEmail(text));
    expect(unusual.filter((text) => !/[\s"[\]]|@[^.]+$/.test(text))).toEqual([]);
  });

  test('E10: two spellings of one address are one account, two addresses are two', async () => {
    const pairs: [string, string, boolean][] = [
      ['mike@example.com', 'MIKE@example.com', true],
      ['mike@example.com', 'mike@EXAMPLE.com', true],
      ['ﬁona@example.com', 'fiona@example.com', true],
      ['kate@example.com', '\u212Aate@example.com', true],
      ['ı@example.com', 'i@example.com', false],
      ['straße@example.com', 'strasse@example.com', false],
      ['аwa@example.com', 'awa@example.com', false],
      ['mike@exаmple.com', 'mike@example.com', false],
    ];
    const { emailKey } = await import('../../src/server/users/repository');
    for (const [one, other, isSame] of pairs) expect(emailKey(one) === emailKey(other), `${one} ${other}`).toBe(isSame);
  });
});
