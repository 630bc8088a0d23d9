/**
 * 500 callers that send their headers slowly, 500 that send their body slowly, 200 that ask for twenty pages and read
 * nothing, 200 that read a little each second and 20 that ask for more than all buffers hold, for a minute. Others must be
 * served meanwhile, and the shop must close each slow connection within 15 s (Linux only: /proc shows when it does).
 * From outside: slowhttptest -c 500 -H -i 10 -r 200 -u http://localhost:3000/ -l 60, then with -B and -X instead of -H.
 *
 *   node tests/security/slow.mjs      after npm run build; open files must be allowed: ulimit -n 4096
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openBuiltShop } from './builtShop.mjs';

const port = 43_300;
const lastsMs = 60_000;
const longestMs = 15_000;
const shop = await openBuiltShop({ PORT: String(port), SANDBOX_PORT: '43301', HOST: '127.0.0.1' });

const kinds = [
  {
    name: 'slow headers',
    count: 500,
    first: 'GET / HTTP/1.1\r\nHost: localhost\r\n',
    next: (at) => `X-${at}: 1\r\n`,
  },
  {
    name: 'slow bodies',
    count: 500,
    first:
      'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
    next: () => ' ',
  },
  { name: 'readers of nothing', count: 200, first: ask(20), takes: 0 },
  { name: 'slow readers', count: 200, first: ask(20), takes: 1000 },
  { name: 'readers of nothing of what no buffer holds', count: 20, first: ask(400), takes: 0 },
];

function ask(times) {
  return 'GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n'.repeat(times);
}

/** @returns after how many milliseconds the shop closed the connection */
const linger = (kind) => (kind.takes === undefined ? drip(kind) : stare(kind));

function drip({ first, next }) {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket = connect(port, '127.0.0.1', () => socket.write(first));
    let sent = 0;
    const timer = setInterval(() => socket.write(next(sent++)), 1000);
    socket.resume().on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(performance.now() - began);
    });
  });
}

/** A caller that does not read is not notified of the other end's close, so the operating system is asked. */
async function stare({ first, takes }) {
  const began = performance.now();
  const socket = connect(port, '127.0.0.1', () => socket.write(first));
  socket.on('error', () => undefined).on('readable', () => undefined); // fills one buffer, refilled only after a read
  do {
    await pause(1000);
    if (takes > 0) socket.read(Math.min(takes, socket.readableLength));
  } while (!socket.destroyed && openTo(socket.localPort));
  socket.destroy();
  return performance.now() - began;
}

let seen = { at: 0, ports: new Set() };
/** Whether the shop's end of the connection is still open. */
function openTo(callersPort) {
  if (Date.now() - seen.at > 500) {
    const rows = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((row) => row.trim().split(/\s+/));
    const portOf = (address = '') => Number.parseInt(address.split(':')[1] ?? '', 16);
    const established = rows.filter(([, local, , state]) => state === '01' && portOf(local) === port);
    seen = { at: Date.now(), ports: new Set(established.map(([, , remote]) => portOf(remote))) };
  }
  return seen.ports.has(callersPort);
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

try {
  const closed = kinds.map(() => []);
  const all = kinds.flatMap((kind, at) =>
    Array.from({ length: kind.count }, async () => closed[at].push(await linger(kind))),
  );
  const times = [];
  for (const began = Date.now(); Date.now() - began < lastsMs; await pause(500)) {
    const asked = performance.now();
    const { ok } = await fetch(`${shop.url}/api/public/products`);
    times.push(ok ? performance.now() - asked : Infinity);
  }
  await Promise.race([Promise.all(all), pause(longestMs)]);
  let isGood = true;
  for (const [at, { name, count }] of kinds.entries()) {
    const longest = Math.max(...closed[at]);
    isGood &&= closed[at].length === count && longest <= longestMs;
    process.stdout.write(`${name}: ${closed[at].length} of ${count} sent away, the last after ${seconds(longest)}\n`);
  }
  const worst = Math.max(...times);
  process.stdout.write(`${times.length} other calls served, the slowest in ${worst.toFixed(0)} ms\n`);
  process.exitCode = isGood && worst < 2000 ? 0 : 1;
} finally {
  await shop.close();
  process.exit(); // connections that are still open end with the process
}
