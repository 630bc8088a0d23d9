import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { contactMessages } from '../../../src/server/db/schema/tables';
import { builtApp } from '../../support/builtApp';
import { isNightly } from '../../support/nightly';
import { openOwnShop, publicUrl, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop({ webFolder: await builtApp() });
});
afterEach(async () => {
  await shop.pool.query('delete from attempts');
  await shop.db.delete(contactMessages);
});
afterAll(() => shop.close());

const message = {
  fullName: 'Example Customer',
  email: 'customer@example.com',
  phone: '404 555 0100',
  reason: 'Djar & kani?',
};
const own = { origin: publicUrl.origin, 'sec-fetch-site': 'same-origin' };
const send = (fields: Record<string, string>, headers: Record<string, string> = own) =>
  shop.app.inject({
    method: 'POST',
    url: '/contact',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
const kept = () => shop.db.select().from(contactMessages);

describe('the contact form of a browser without JavaScript', () => {
  test('stores the message and leads to the thank-you page', async () => {
    const { statusCode, headers } = await send(message);
    expect([statusCode, headers['location']]).toEqual([303, '/thankyoupage']);
    expect(await kept()).toMatchObject([{ ...message, userId: null }]);
  });

  test('records the signed-in user', async () => {
    const ana = await shop.signIn();
    await send(message, { ...own, cookie: `__Host-access=${ana.token}` });
    expect(await kept()).toMatchObject([{ userId: ana.userId }]);
  });

  test('shows the page again with the errors and what was typed', async () => {
    const { statusCode, headers, body } = await send({
      ...message,
      email: 'no address',
      reason: '<b>Djar</b> & "kani"?',
    });
    expect(statusCode).toBe(400);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toMatch(/script-src 'self'/);
    expect(body).toContain('Invalid email address');
    expect(body).toContain('value="no address"');
    expect(body).toContain('value="Example Customer"');
    expect(body).toContain('&lt;b&gt;Djar&lt;/b&gt; &amp; &quot;kani&quot;?</textarea>');
    expect(body).not.toContain('<b>Djar');
    expect(await kept()).toEqual([]);
    const { body: next } = await shop.app.inject({ url: '/contact', headers: { accept: 'text/html' } });
    expect(next).not.toContain('Example Customer');
  });

  test('keeps the text when it reports too many messages', async () => {
    await send(message);
    await shop.pool.query('update attempts set count = 30');
    const { statusCode, headers, body } = await send(message);
    expect(statusCode).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(600);
    expect(body).toContain('Too many attempts. Try again in 15 minutes.');
    expect(body).toContain('Djar &amp; kani?</textarea>');
  });

  if (isNightly)
    test('is rate limited and takes turns: sent over 250 connections it does not block others', async () => {
      const ana = await shop.signIn();
      await shop.app.inject({ url: '/contact', headers: { accept: 'text/html' } }); // caches what the page needs
      const clients = await Promise.all(Array.from({ length: 10 }, () => shop.pool.connect()));
      const storm = Array.from({ length: 250 }, () => send(message).then(({ statusCode }) => statusCode));
      await expect.poll(() => shop.pool.turns.waiting).toBe(100);
      const cart = shop.call('getCart', { as: ana, path: { userId: ana.userId } });
      for (const client of clients) client.release();
      expect((await cart).status).toBe(200);
      expect(new Set(await Promise.all(storm))).toEqual(new Set([303, 429, 503]));
    });

  test('thanks a robot like a person', async () => {
    expect((await send({ ...message, website: 'https://example.com' })).statusCode).toBe(303);
    expect(await kept()).toEqual([]);
  });

  test.each<Record<string, string>>([
    { origin: 'https://evil.test' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
  ])('is rejected with %j: another site sent it', async (headers) => {
    const { statusCode, body } = await send(message, headers);
    expect(statusCode).toBe(403);
    expect(body).toContain('cross_site_request');
    expect(await kept()).toEqual([]);
  });

  test('accepts no other kind of body, and none of a megabyte', async () => {
    const json = { ...own, 'content-type': 'application/json' };
    const answer = await shop.app.inject({
      method: 'POST',
      url: '/contact',
      headers: json,
      payload: JSON.stringify(message),
    });
    expect(answer.statusCode).toBe(415);
    expect((await send({ ...message, reason: 'a'.repeat(1_000_000) })).statusCode).toBe(413);
    expect((await send({ ...message, reason: '\u{1f336}'.repeat(2_500) })).statusCode).toBe(303);
  });

  test('a page without a form accepts none', async () => {
    const { statusCode } = await shop.app.inject({
      method: 'POST',
      url: '/thankyoupage',
      headers: { ...own, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=a',
    });
    expect([404, 415]).toContain(statusCode);
  });
});
