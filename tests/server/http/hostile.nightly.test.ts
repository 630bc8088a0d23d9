/** Thousands of hostile texts: each is stored unchanged or rejected under its field's name, and never causes a 500. */
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fuzzStrings, naughtyStrings, oddTexts, turnOf } from '../../support/hostile';
import { contractOperations } from '../../support/contract';
import { breaches, placesOf, type Place } from '../../support/hostilePlaces';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

const inTimeMs = 300_000;
let shop: TestShop;
let ana: Person;
let admin: Person;
let forms: ReturnType<typeof placesOf>;
beforeAll(async () => {
  shop = await openOwnShop();
  // thousands of writes that need not survive a crash
  const carelessly = `select set_config('synchronous_commit', 'off', false), pg_sleep(0.2)`;
  await Promise.all(Array.from({ length: 20 }, () => shop.pool.query(carelessly)));
  ana = await shop.signIn();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  forms = placesOf(shop, ana, admin);
});
afterAll(() => shop.close());

describe('each of the 515 naughty strings is stored or rejected by name', () => {
  test('there are 515', () => expect(naughtyStrings).toHaveLength(515));
  const places: [name: string, open: () => Place | Promise<Place>][] = [
    ['a name and a description', () => forms.profile],
    ['an address', () => forms.addresses],
    ['a message', () => forms.message],
    ['an answer of staff', () => forms.reply()],
    ['a product', () => forms.product()],
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
    const places = [forms.profile, forms.message, await forms.product(), await forms.note(), await forms.stock()];
    for (const [turn, each] of places.entries()) {
      expect(await breaches(turnOf(fuzzStrings.xss, turn, places.length), each)).toEqual([]);
    }
  },
  inTimeMs,
);

test('NUL, lone surrogates, directions, invisible characters, stacked accents and very long texts', async () => {
  for (const each of [forms.profile, forms.addresses, forms.message, await forms.stock()])
    expect(await breaches(oddTexts, each)).toEqual([]);
  const inUtf8 = oddTexts.filter((text) => !/\p{Cs}/u.test(text)); // a lone surrogate cannot be sent in a form
  expect(await breaches(inUtf8, await forms.product())).toEqual([]);
  const { status, errors } = await forms.profile.write({ fullName: 'a\0b' });
  expect([status, errors[0]?.field]).toEqual([400, 'fullName']);
});

test('line ends and escape sequences in a text reach no response header, and no second log line', async () => {
  shop.logLines.length = 0;
  const texts = [...fuzzStrings.crlf, ...fuzzStrings.terminal_escapes, 'x\r\nSet-Cookie: a=b', 'x\nBcc: b@example.com'];
  for (const each of [forms.profile, forms.message]) expect(await breaches(texts, each)).toEqual([]);
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
    'in the search, the paths and the queries: a success or a 4xx, never a 500',
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
    'in each parameter of each list of the back office: a success or a 4xx',
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
    'in every stored text: it is stored unchanged',
    async () => {
      for (const [turn, each] of [forms.profile, forms.message].entries()) {
        expect(await breaches(turnOf(lists, turn, 2), each)).toEqual([]);
      }
    },
    inTimeMs,
  );

  test(
    'as an email at the login: no user',
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
