/**
 * Attacks a running shop over many connections until its standard input ends. It prints a line once it was answered more
 * often than `atLeast`, and at the end how often it returned which status. It runs at the lowest priority, so that what others lose is the shop's doing and not the machine's.
 *
 *   node tests/security/abuseAttacker.mjs '{"attack": "searches", "url": "http://localhost:3000", "accounts": []}'
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';

const { attack, url, accounts, productIds, atLeast } = JSON.parse(process.argv[2]);
const [account = {}] = accounts;
const megabyte = 1024 * 1024;
let turn = 0;
let answers = 0;
const over = new AbortController();
const statuses = {};

/** What each attack sends over and over, and over how many parallel connections. */
const attacks = {
  brackets: [16, () => ({ method: 'POST', path: '/auth/login', raw: '['.repeat(megabyte) })],
  searches: [200, () => ({ path: `/public/search?q=${randomUUID()}` })],
  pages: [100, () => ({ page: `/search?q=${randomUUID()}` })],
  filters: [160, () => ({ page: `/products/savory?origin=${randomUUID()}` })],
  registrations: [
    160,
    () => ({ method: 'POST', page: '/register', form: { fullName: `${turn++}`, email: 'mallory' } }),
  ],
  cart: [
    130,
    () => ({
      method: 'PUT',
      path: '/public/cart/item/update',
      body: { productId: productIds[turn++ % productIds.length], change: turn % 2 ? 1 : -1 },
      as: account,
    }),
  ],
  accounts: [
    200,
    () => ({
      method: 'PUT',
      path: '/public/cart/item/update',
      body: { productId: productIds[turn++ % productIds.length], change: turn % 2 ? 1 : -1 },
      as: accounts[turn % accounts.length],
    }),
  ],
  logins: [
    120,
    () => ({ method: 'POST', path: '/auth/login', body: { email: account.email, password: account.password } }),
  ],
  provider: [
    64,
    () => ({
      path: `/public/order/payment/success?session_id=cs_test_${randomUUID()}&user_id=${account.userId}&cart_id=${account.cartId}`,
      as: account,
    }),
  ],
  payments: [120, () => ({ path: `/public/order/check-status?session_id=cs_test_${turn}`, as: accounts[turn++ % 4] })],
  logouts: [200, () => ({ method: 'POST', path: '/auth/logout', token: turn++ % 2 ? 'made.up.token' : undefined })],
  contact: [
    300,
    () => ({
      method: 'POST',
      page: '/contact',
      form: { fullName: 'M', email: 'mallory@example.com', reason: `${turn++}` },
    }),
  ],
  profile: [
    32,
    () => ({
      method: 'PUT',
      path: `/public/users/${account.userId}/profile`,
      body: { fullName: 'M', email: account.email, description: `${turn++}`.padEnd(1000, 'x') },
      as: account,
      key: turn % 2 ? randomUUID() : undefined,
    }),
  ],
  streams: [400, () => ({ path: '/public/events', as: accounts[turn++ % accounts.length], isEndless: true })],
  strangers: [400, () => ({ path: '/public/events', isEndless: true })],
};

setPriority(constants.priority.PRIORITY_LOW);
const [connections, next] = attacks[attack];
const agent = new Agent({ keepAlive: true, maxSockets: connections });
process.stdin
  .setMaxListeners(0)
  .once('end', () => {
    over.abort();
    setTimeout(() => agent.destroy(), 300).unref(); // a rejection may wait for many seconds
  })
  .resume();
await Promise.all(Array.from({ length: connections }, work));
process.stdout.write(`${JSON.stringify(statuses)}\n`, () => process.exit(0));

async function work() {
  while (!over.signal.aborted) {
    const status = await send(next()).catch(() => 0);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (++answers === atLeast + 1) process.stdout.write('under way\n');
    if (status === 0) await new Promise((resolve) => setTimeout(resolve, 20)); // the connection was refused or cut
  }
}

/** @returns the status of the answer, once all of it has come; a stream counts when it begins and is held open */
function send({ method = 'GET', path, page, raw, body, form, as, token = as?.token, key, isEndless }) {
  const text = raw ?? (form ? new URLSearchParams(form).toString() : body && JSON.stringify(body));
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(text && { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
    ...(key && { 'idempotency-key': key }),
    ...(page && { accept: 'text/html' }),
  };
  return new Promise((resolve, reject) => {
    const call = request(`${url}${page ?? `/api${path}`}`, { method, headers, agent }, (answer) => {
      answer.resume().once('error', reject);
      const isOpen = isEndless && answer.statusCode === 200;
      answer.once('end', () => resolve(answer.statusCode));
      const letGo = () => answer.destroy(new Error('let go'));
      if (isOpen && over.signal.aborted) letGo();
      else if (isOpen) process.stdin.once('end', letGo);
    });
    call.once('error', reject);
    call.end(text);
  });
}
