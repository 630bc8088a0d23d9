import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBooks } from '../../support/buying';
import { openOwnShop, type TestShop } from '../../support/shop';
import { watchReading } from '../../support/sockets';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

/** Shorter than the timeout of a silent connection, and many times what closing takes. */
const longestMs = 10_000;

test('a request in flight is finished when the shop closes, and later ones get a 503', async () => {
  const closing = await shop.openProcess();
  await closing.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = closing.app.server.address() as AddressInfo;
  const ana = await shop.signIn();
  const { id: productId } = await shop.stock();
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId } });
  await shop.control('hold', { next: 1 });
  const [buyer, later] = await Promise.all([openSocket(port), openSocket(port)]);

  const body = JSON.stringify({
    customer: 'Ana',
    deliveryAddress: { street: '1 Main Street', city: 'Atlanta', state: 'GA', postalCode: '30303' },
  });
  buyer.socket.write(
    `POST /api/public/order/${ana.userId}/payment/${ana.cartId} HTTP/1.1\r\nHost: localhost\r\n` +
      `Authorization: Bearer ${ana.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  later.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api/public/products HTTP/1.1\r\n'); // the rest is not sent yet
  await expect.poll(() => later.received()).toContain('{"status":"ok"}');
  const ordered = 'select 1 from orders where user_id = $1';
  await expect.poll(async () => (await shop.pool.query(ordered, [ana.userId])).rowCount).toBe(1);
  const closed = closing.close();
  await expect.poll(() => fetch(`http://127.0.0.1:${port}/healthz`).then(({ status }) => status)).toBe(503);
  later.socket.write('Host: localhost\r\n\r\n');
  await expect.poll(() => later.received()).toMatch(/HTTP\/1\.1 503 [^]*retry-after: 2[^]*"code":"unavailable"/i);
  expect(later.received()).toMatch(/connection: close/i);
  await shop.control('release');
  const answeredAt = performance.now();
  await closed;
  expect(performance.now() - answeredAt, 'no connection is waited for').toBeLessThan(longestMs);
  expect(buyer.received()).toMatch(/^HTTP\/1\.1 201 [^]*"paymentUrl":/);
  await expect(openSocket(port)).rejects.toThrow('ECONNREFUSED');
});

test('a connection stays open longer than announced, so that no request meets its end', async () => {
  const { headers } = await fetch(`${shop.url}/healthz`);
  const saidMs = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1]) * 1_000;
  expect(shop.app.server.keepAliveTimeout - saidMs).toBeGreaterThanOrEqual(500);
});

test.each(['', 'GET /heal', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n'])(
  'a connection that has sent only %j does not delay the end',
  async (said) => {
    const closing = await shop.openProcess();
    await closing.app.listen({ port: 0, host: '127.0.0.1' });
    const untilRead = watchReading(closing.app.server);
    const { socket } = await openSocket((closing.app.server.address() as AddressInfo).port);
    socket.write(said);
    await untilRead(socket, said.length);
    const began = performance.now();
    await closing.close();
    expect(performance.now() - began).toBeLessThan(longestMs);
  },
);

describe('the health of the shop', () => {
  test('is available at /healthz and /readyz', async () => {
    for (const [url, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const answer = await shop.app.inject({ url });
      expect([answer.statusCode, answer.json()]).toEqual([200, { status }]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  test('is not ready while notifications of other processes cannot arrive', async () => {
    const deaf = await shop.openProcess();
    await deaf.bus.close();
    const answers = await Promise.all(['/readyz', '/healthz'].map((url) => deaf.app.inject({ url })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 200]);
    await deaf.app.close();
  });
});

describe('input that is not HTTP', () => {
  test.each([
    ['two lengths', 'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an obscured encoding', 'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n{}'],
    ['bare line ends', 'GET /healthz HTTP/1.1\nHost: a\n\n'],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['headers without end', `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['nonsense', 'nonsense\r\n\r\n'],
  ])('such as %s is rejected and the connection closed', async (_, sent) => {
    const { socket, received } = await openSocket(Number(new URL(shop.url).port));
    socket.write(sent);
    await once(socket, 'close');
    expect(received()).toMatch(/^HTTP\/1\.1 4\d\d /);
  });
});

async function openSocket(port: number): Promise<{ socket: Socket; received: () => string }> {
  let received = '';
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  await once(socket, 'connect');
  return { socket, received: () => received };
}
