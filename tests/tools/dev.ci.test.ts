/** `npm run dev` (src/tools/dev.mjs) as a developer uses it: through the port of the browser app. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callerAt } from '../support/caller';
import { findFreePort } from '../support/freePort';

const ownerPassword = 'a password of this test';
let url: string;
let folder: string;
let said = '';
let dev: ReturnType<typeof spawn>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'shop-dev-'));
  const [web, server, sandbox] = [await findFreePort(), await findFreePort(), await findFreePort()];
  url = `http://localhost:${web}`;
  dev = spawn('node', ['src/tools/dev.mjs'], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: path.join(folder, 'data'),
      WEB_PORT: String(web),
      PORT: String(server),
      SANDBOX_PORT: String(sandbox),
      OWNER_PASSWORD: ownerPassword,
    },
  });
  for (const stream of [dev.stdout, dev.stderr]) stream?.setEncoding('utf8').on('data', (text) => (said += text));
  await vi.waitUntil(() => starts() === 1, { timeout: 120_000 });
});
afterAll(async () => {
  const ended = once(dev, 'exit');
  dev.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
});

const starts = () => said.split('Your shop is running').length - 1;

test('the page comes from Vite, with hot reload', async () => {
  expect(await (await fetch(url)).text()).toContain('/@vite/client');
});

test('the page finds out that the shop can be reached', async () => {
  const answer = await fetch(`${url}/healthz`);
  expect(answer.headers.get('content-type')).toContain('application/json');
});

test('a change of the cart goes through, tells other pages, and outlives a restart of the server', async () => {
  const call = callerAt(url);
  const { data } = await call('login', { body: { email: 'owner@example.com', password: ownerPassword } });
  const { user, jwt: token } = data.authResponse;
  const path = { userId: user.id };
  const as = { userId: user.id, cartId: '', email: user.email, role: 'ROLE_OWNER', token } as const;
  const events = await fetch(`${url}/api/public/events`, { headers: { authorization: `Bearer ${token}` } });
  const heard = readUntil(events, 'event: cart');
  const listed = await call('listProducts', {});
  const productId = listed.data.products.content[0]?.id;
  expect(await call('addCartItem', { as, path, body: { productId, quantity: 1 } })).toMatchObject({ status: 200 });
  await heard;

  const now = new Date();
  await utimes('src/server/process/banner.ts', now, now);
  await expect.poll(() => starts(), { timeout: 60_000 }).toBe(2);
  const cart = await call('getCart', { as, path });
  expect(cart.data.cartResponse.cartItems).toHaveLength(1);
});

async function readUntil({ body }: Response, wanted: string): Promise<void> {
  let text = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes(wanted)) return;
  }
  throw new Error(`the stream ended after ${text}`);
}
