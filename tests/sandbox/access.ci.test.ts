import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLoopbackAddress } from '../../src/sandbox/controls';
import { readOrCreateKeys } from '../../src/sandbox/keys';
import { controlToken, openSandbox, secretKey, temporaryFolder } from './openSandbox';

test.for(['sk_live_0123456789', 'rk_live_0123456789'])('the live key %s is rejected in one sentence', async (key) => {
  await expect(openSandbox({ secretKey: key })).rejects.toThrow('The test payment provider refuses live keys.');
});

test('two processes that read the keys of a folder at the same time get the same', async () => {
  const folder = join(await temporaryFolder(), 'new');
  const all = await Promise.all(Array.from({ length: 10 }, () => readOrCreateKeys(folder)));
  expect(new Set(all.map((keys) => JSON.stringify(keys))).size).toBe(1);
  expect(all[0]!.secretKey).toMatch(/^sk_test_\w{22,}$/);
  expect(all[0]!.webhookSecret).toMatch(/^whsec_\w{22,}$/);
  expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600);
});

test('the control routes are absent unless enabled', async () => {
  const { url } = await openSandbox({ hasControls: false });
  const answer = await fetch(`${url}/_sandbox/ledger`, { headers: { 'x-sandbox-token': controlToken } });
  expect(answer.status).toBe(404);
});

test('the control routes need their token', async () => {
  const { url } = await openSandbox();
  expect((await fetch(`${url}/_sandbox/ledger`)).status).toBe(403);
  expect((await fetch(`${url}/_sandbox/ledger`, { headers: { 'x-sandbox-token': 'guess' } })).status).toBe(403);
});

const peers: [address: string | undefined, isLoopback: boolean][] = [
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['fe80::1', false],
  [undefined, false],
];

test.for(peers)('a caller at %s counts as on this machine: %s', ([address, isLoopback]) => {
  expect(isLoopbackAddress(address)).toBe(isLoopback);
});

test('a machine without IPv6 is served on IPv4', async () => {
  const { url } = await openSandbox({ hosts: ['127.0.0.1', '2001:db8::1'] });
  expect((await fetch(url)).status).toBe(404);
});

test.for(['/', '/v1', '/v2/core/events', '/favicon.ico', '/_sandbox/ledger'])(
  'the unknown URL %s is answered as the provider does',
  async (path) => {
    const { url } = await openSandbox({ hasControls: false });
    const answer = await fetch(`${url}${path}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('request-id')).toMatch(/^req_\w+$/);
    expect(answer.headers.get('content-type')).toContain('application/json');
    const { error } = (await answer.json()) as { error: { type: string; message: string } };
    expect(error.type).toBe('invalid_request_error');
    expect(error.message).toContain(`Unrecognized request URL (GET: ${path})`);
  },
);

const odd: [why: string, body: string][] = [
  ['broken percent signs', 'mode=%E0%A4%A'],
  ['a value that is an object too', 'mode=payment&mode[a]=1'],
  ['brackets that do not close', 'line_items[0=1'],
  ['the name of a prototype', '__proto__[polluted]=1'],
  ['a list as an address', 'success_url[0]=https://shop.example'],
];

test.for(odd)('%s in a call is a 4xx, never a 500', async ([, body]) => {
  const { url } = await openSandbox();
  const headers = { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(`${url}/v1/checkout/sessions`, { method: 'POST', headers, body });
  expect(answer.status).toBe(400);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a body of more than a megabyte is rejected', async () => {
  const { port } = await openSandbox();
  const headers = { Authorization: `Bearer ${secretKey}` };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const call = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/refunds', headers }, (answer) => {
      resolve(answer.statusCode);
      call.destroy();
    });
    call.on('error', reject);
    call.end(`metadata[x]=${'x'.repeat(8 * 1024 * 1024)}`);
  });
  expect(status).toBe(413);
});
