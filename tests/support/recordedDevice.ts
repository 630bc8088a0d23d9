/** The device of an earlier release (tests/data/device-1), and a shop that answers its calls as the shop did then. */
import { readFileSync } from 'node:fs';
import type { DeviceDump } from './deviceDump';

const read = (name: string): unknown => JSON.parse(readFileSync(`tests/data/device-1/${name}.json`, 'utf8'));

export interface RecordedCall {
  method: string;
  path: string;
  /** Whether a cookie or a token went along. */
  as: 'user' | 'nobody';
  'idempotency-key'?: string | undefined;
  'content-type'?: string | undefined;
  body: string;
}
export interface RecordedAnswer {
  status: number;
  body: string;
}
export type Who = 'ben' | 'ana';

export const recorded = {
  /** Ben is signed in; `tabs` is what sessionStorage held: a visitor's tab, and Ben's. */
  device: read('device') as DeviceDump & { tabs: Record<'visitor' | 'customer', Record<string, string>> },
  /** What the cart said without a connection, the sentence of the login, and what was left once Ben's were sent. */
  shown: read('shown') as { cart: string; seal: string; left: { key: number; value: object }[] },
  /** What the device sent when Ben could reach the shop again, and when Ana came back. */
  calls: read('calls') as Record<Who, (RecordedCall & { answer: RecordedAnswer })[]>,
  reads: read('reads') as Record<Who, Record<string, RecordedAnswer>>,
};

/** The cart as this release shows it: the checkout has come to wait for what was refused. */
export const cartNow = recorded.shown.cart.replace(
  'Checkout needs',
  'Please retry or discard the refused changes firstCheckout needs',
);

export const ids: Record<Who, string> = {
  ben: (JSON.parse(recorded.device.localStorage['root'] ?? '{}') as { id: string }).id,
  ana: /[\w-]{36}/.exec(recorded.calls.ana[0]?.path ?? '')?.[0] ?? '',
};

/** Nobody checks its signature here; whose it is counts. */
export const tokenOf = (who: Who) => `e30.${Buffer.from(JSON.stringify({ sub: ids[who] })).toString('base64url')}.none`;

/** A call as it is compared: the recorded ones without their answers. */
export const asSent = ({ method, path, as, body, ...rest }: RecordedCall): RecordedCall => ({
  method,
  path,
  as,
  'idempotency-key': rest['idempotency-key'],
  'content-type': rest['content-type'],
  body,
});

/** @returns what the shop said to the call then, or what any shop says to one that was not recorded */
export function answerTo(who: Who, { method, path, ...rest }: RecordedCall): RecordedAnswer {
  if (path === '/healthz') return { status: 200, body: '{}' };
  if (/refresh-token|login/.test(path))
    return { status: 200, body: JSON.stringify({ data: { authResponse: signIn(who) } }) };
  const again = recorded.calls[who].find((call) => call['idempotency-key'] === rest['idempotency-key']);
  const found = method === 'GET' ? recorded.reads[who][path] : again?.answer;
  return found ?? { status: 404, body: JSON.stringify({ code: 'not_found', message: 'Not recorded', errors: [] }) };
}

export const isChange = ({ method, path }: RecordedCall) =>
  method !== 'GET' && /\/public\/(?:cart|contact)\//.test(path);

function signIn(who: Who) {
  const user = { id: ids[who], fullName: `${who} Example`, email: `${who}@example.com`, role: 'ROLE_CUSTOMER' };
  return { jwt: tokenOf(who), refreshToken: 'none', user, mustDo: null };
}
