/** Staff may send a large file over a slow connection. Rule: docs/rules/wire.md, Time limits */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileForm } from '../../support/pictures';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
  shop.app.server.requestTimeout = 300;
  shop.app.server.timeout = 400; // without anything sent
});
afterAll(() => shop.close());

/** @returns the status of the response to a file of which a part comes only after the server's usual limit */
async function sendSlowly(as: Person, method: string, path: string): Promise<string> {
  const { body, headers } = fileForm(Buffer.from('name,price,category\nSlow,4.50,spices\n'), 'slow.csv');
  const { port } = new URL(shop.url);
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined));
  socket.on('data', (chunk) => (answer += String(chunk)));
  const lines = [
    `${method} /api${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${as.token}`,
    `idempotency-key: ${randomUUID()}`,
    `content-type: ${headers['content-type']}`,
    `content-length: ${body.length}`,
    'connection: close',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(body.subarray(0, 150));
  await pause(1_500);
  socket.write(body.subarray(150));
  await closed;
  return answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3);
}

test('a file that staff import may arrive slowly', async () => {
  const staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  expect(await sendSlowly(staff, 'POST', '/admin/imports')).toBe('201');
});

test('a slow sender of anything else is disconnected', async () => {
  const [staff, customer] = [await shop.signIn({ role: 'ROLE_ADMIN' }), await shop.signIn()];
  expect(await sendSlowly(customer, 'PUT', `/public/users/${customer.userId}/picture`)).not.toMatch(/^2/);
  expect(await sendSlowly(staff, 'PUT', `/public/users/${staff.userId}/picture`)).not.toMatch(/^2/);
});
