/**
 * sqlmap, level 2, over the calls that take free text, addresses of pages and ids. It must find nothing, and no call
 * may answer 5xx. The lists of hostile SQL in tests/server/http/hostile.test.ts run with every `npm test`.
 *
 *   node tests/security/sqlmap.mjs      after npm run build; needs sqlmap (apt-get install sqlmap)
 *
 * Starts the shop on a data folder of its own. Each request comes from another address, because of the rate limits.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBuiltShop } from './builtShop.mjs';

const shop = await openBuiltShop({ PORT: '43400', SANDBOX_PORT: '43401', HOST: '127.0.0.1', TRUST_PROXY: '127.0.0.1' });
const folder = mkdtempSync(path.join(tmpdir(), 'sqlmap-'));
const nobody = '00000000-0000-4000-8000-000000000000';
let isClean = true;

try {
  const customer = await openAccount('cook@example.com');
  const owner = await logIn('owner@example.com', 'only for this run 1');
  const json = (body) => ['--data', JSON.stringify(body), '--headers', 'Content-Type: application/json'];
  const calls = [
    [customer, '/public/search?q=pepper*'],
    [customer, '/public/products?origin=India*&page=0&size=10'],
    [customer, '/public/products/category/savory*?heat=1*'],
    [customer, `/public/products/${nobody}*`],
    [customer, '/public/order/check-status?session_id=cs_test_1*'],
    [customer, `/public/order/customerorders/${customer.id}?page=0*&size=10*`],
    [customer, `/public/users/${customer.id}/profile`, '--method', 'PUT', ...json(profile('x*'))],
    [{}, '/public/contact/create', ...json({ fullName: 'x*', email: 'a@example.com', reason: 'x*' })],
    [{}, '/auth/login', ...json({ email: 'a@example.com*', password: 'pepper and salt 1' })],
    [owner, '/admin/users?q=a*&page=0&size=10'],
    [owner, '/admin/orders?q=a*&page=0&size=10'],
    [owner, '/admin/products?q=a*&page=0&size=10'],
    [owner, '/admin/messages?q=a*&page=0&size=10'],
  ];
  for (const [caller, where, ...more] of calls) await probe(caller, where, more);
} finally {
  await shop.close();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(isClean ? 'nothing found\n' : 'something was found\n');
process.exit(isClean ? 0 : 1);

function profile(text) {
  return { fullName: text, email: 'cook@example.com', description: text };
}

async function openAccount(email) {
  const password = 'pepper and salt 1';
  const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  await post('/auth/register', { fullName: 'Cook', email, password, confirmPassword: password, ...address });
  return logIn(email, password);
}

async function logIn(email, password) {
  const { data } = await post('/auth/login', { email, password });
  return { id: data.authResponse.user.id, token: data.authResponse.jwt };
}

async function post(where, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${shop.url}/api${where}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${where} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Prints how many requests sqlmap made, their statuses, and its findings. */
async function probe({ token }, where, more) {
  const began = Date.now();
  const how = '--batch --level 2 --risk 1 --dbms postgresql --threads 4 --flush-session --tamper xforwardedfor -v 1';
  const said = await run([
    ...`${how} --ignore-code 400,401,404 --disable-coloring`.split(' '),
    '-u',
    `${shop.url}/api${where}`,
    '--output-dir',
    folder,
    ...(token ? ['--header', `Authorization: Bearer ${token}`] : []),
    ...more,
  ]);
  const isFine =
    said.includes('do not appear to be injectable') && !/is vulnerable|identified the following/.test(said);
  const codes = /HTTP error codes detected during run:\s*(.+)/.exec(said)?.[1] ?? 'no error codes';
  if (!isFine || /\b5\d\d \(/.test(codes)) isClean = false;
  process.stdout.write(
    `${isFine ? 'nothing' : 'SEE BELOW'}  ${where}  ${codes}  ${((Date.now() - began) / 1000).toFixed(0)} s\n`,
  );
  if (!isFine) process.stdout.write(said.split('\n').slice(-25).join('\n'));
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn('sqlmap', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.once('error', () => reject(new Error('sqlmap is not installed: apt-get install sqlmap')));
    child.once('exit', () => resolve(said));
  });
}
