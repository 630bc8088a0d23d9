/**
 * Can the time of an answer tell whether an address has an account? Asks for logins and reset links for known and
 * unknown addresses in turn, each address once, and compares the times with a Mann-Whitney test: p must stay above 0.01.
 *
 *   node tests/security/timing.mjs [rounds = 200]      on a quiet machine, after npm run build
 */
import { openBuiltShop } from './builtShop.mjs';

const rounds = Number(process.argv[2] ?? 200);
const password = 'pepper and salt 1';
const shop = await openBuiltShop({ PORT: '43200', SANDBOX_PORT: '43201', HOST: '127.0.0.1', TRUST_PROXY: '127.0.0.1' });
let caller = 0;

/** Calls from another address each time, because of the rate limits. */
async function post(where, body) {
  caller++;
  const from = `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  const began = performance.now();
  const answer = await fetch(`${shop.url}/api/auth/${where}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  return { ms: performance.now() - began, status: answer.status, text };
}

/** @returns p: how likely such differences are when both samples come from one distribution */
function mannWhitney(a, b) {
  const all = [...a.map((ms) => ({ ms, isA: true })), ...b.map((ms) => ({ ms, isA: false }))].sort(
    (x, y) => x.ms - y.ms,
  );
  const rankSum = all.reduce((sum, { isA }, at) => (isA ? sum + at + 1 : sum), 0);
  const u = rankSum - (a.length * (a.length + 1)) / 2;
  const mean = (a.length * b.length) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  const z = Math.abs(u - mean) / deviation;
  // twice the normal distribution's tail, by Abramowitz and Stegun 26.2.17
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 2 * (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

const median = (times) => times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)];

try {
  const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const known = [];
  for (let round = 0; round < rounds; round++) {
    const email = `known-${round}@example.com`;
    const body = { email, password, confirmPassword: password, fullName: 'Ana', ...address };
    const { status, text } = await post('register', body);
    if (status !== 201) throw new Error(text);
    known.push(email);
  }
  let isGood = true;
  const calls = [
    { where: 'login', bodyOf: (email) => ({ email, password: 'not the password' }) },
    { where: 'reset/password', bodyOf: (email) => ({ email }) },
  ];
  for (const { where, bodyOf } of calls) {
    const times = { known: [], unknown: [] };
    const said = new Set();
    for (const [round, email] of known.entries()) {
      const pair = [
        ['known', email],
        ['unknown', `unknown-${round}@example.com`],
      ];
      for (const [kind, who] of round % 2 ? pair : pair.toReversed()) {
        const { ms, status, text } = await post(where, bodyOf(who));
        times[kind].push(ms);
        said.add(`${status} ${text.replace(/"requestId":"[^"]*"/, '')}`);
      }
    }
    const p = mannWhitney(times.known, times.unknown);
    isGood &&= p > 0.01 && said.size === 1;
    const medians = [times.known, times.unknown].map((each) => `${median(each).toFixed(2)} ms`).join(' and ');
    process.stdout.write(`${where}: medians ${medians}, p = ${p.toFixed(3)}, ${said.size} different answer(s)\n`);
  }
  process.exitCode = isGood ? 0 : 1;
} finally {
  await shop.close();
}
