/** Twenty hostile texts in every form that stores text, and in queries; hostile.nightly.test.ts has thousands. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzzStrings, naughtyStrings } from '../../support/hostile';
import { breaches, placesOf } from '../../support/hostilePlaces';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let ana: Person;
let admin: Person;
let forms: ReturnType<typeof placesOf>;
beforeAll(async () => {
  shop = await openOwnShop();
  [ana, admin] = [await shop.signIn(), await shop.signIn({ role: 'ROLE_ADMIN' })];
  forms = placesOf(shop, ana, admin);
});
afterAll(() => shop.close());

const every = (texts: readonly string[], step: number) => texts.filter((_, at) => at % step === 0);
const twenty = [
  ...every(naughtyStrings, 103),
  ...every(fuzzStrings.xss, 65),
  ...every(fuzzStrings.sql, Math.ceil(fuzzStrings.sql.length / 5)),
  'a\0b',
  'a\u202eb\u202c',
  'x'.repeat(10_000),
  'a\r\nBcc: everybody@example.com',
  '\u001b[31mred\u001b[0m',
];

test('twenty hostile texts are stored or rejected by name in every form that stores text', async () => {
  expect(twenty).toHaveLength(20);
  const { profile, addresses, message, note, reply, product, stock } = forms;
  for (const place of [profile, addresses, message, await note(), await reply(), await product(), await stock()])
    expect(await breaches(twenty, place)).toEqual([]);
  const { status, errors } = await profile.write({ fullName: 'a\0b' });
  expect([status, errors[0]?.field]).toEqual([400, 'fullName']);
});

test('in searches, paths and filters they cause no 500, and in the login they match no user', async () => {
  const as = ({ token }: Person) => ({ authorization: `Bearer ${token}` });
  for (const text of twenty) {
    const part = encodeURIComponent(text.slice(0, 500));
    for (const request of [
      { url: `/api/public/products?origin=${part}` },
      { url: `/api/public/products/${part}` },
      { url: `/api/public/order/${part}`, headers: as(ana) },
      { url: `/api/admin/orders?search=${part}`, headers: as(admin) },
      { url: `/api/admin/users?search=${part}`, headers: as(admin) },
    ])
      expect((await shop.app.inject(request)).statusCode, request.url).toBeLessThan(500);
    await shop.pool.query('delete from attempts');
    const answer = await shop.call('login', { body: { email: text, password: text } });
    expect([400, 401, 413]).toContain(answer.status);
  }
});

test('line ends and escape sequences of a text are in no response header, and in no second log line', async () => {
  shop.logLines.length = 0;
  const texts = ['x\r\nSet-Cookie: a=b', 'x\nBcc: b@example.com', '\u001b[31mred\u001b[0m'];
  for (const each of [forms.profile, forms.message]) expect(await breaches(texts, each)).toEqual([]);
  for (const text of texts) {
    const answer = await shop.app.inject({ url: `/login?redirect=${encodeURIComponent(text)}` });
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
  expect(shop.logLines).not.toEqual([]);
  for (const line of shop.logLines) {
    expect(line.endsWith('\n')).toBe(true);
    expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u);
  }
});
