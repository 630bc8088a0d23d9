/**
 * `npm run bench -- misses`: lists and searches whose answer is not kept, one request after the other, beside the least
 * that can answer a list from the database (bareList.mjs). Each is asked for once, then a change is published.
 */
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { presentAims, type Aim } from './aims';
import { cpuMsOf, type Measured } from './cpu';
import { withBench } from './opened';

const rounds = 12;
const perRound = 40;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const words = ['pepper', 'salt', 'chil', 'cum', 'curry', 'smoked', 'garlic', 'ginger', 'lemon', 'papr', 'rub', 'mix'];
const others = [
  'corriander',
  'peper',
  'turmeric',
  'sumac',
  'all',
  'blend',
  'seed',
  'hot',
  'herb',
  'bay',
  'clove',
  'dry',
];

type Kind = { what: string; url: string; addresses: string[]; measured: Measured; aimMs?: number; before?: string };

await withBench(async ({ shop, url, pool, pids, databasePid, startServer }) => {
  const floor = await startServer(['tests/bench/bareList.mjs', JSON.stringify(shop.database())]);
  const sizes = Array.from({ length: perRound }, (_, index) => `size=${index + 5}`);
  const lists = (path: string) => sizes.map((size) => `${path}?${size}`);
  const asked = (size: number) => [...words, ...others].map((word) => `/api/public/search?q=${word}&size=${size}`);
  const ofShop = { url, measured: { pids: [pids.shop], databasePid } };
  const kinds: Kind[] = [
    {
      what: 'floor: node:http, pg',
      url: floor.url,
      addresses: lists('/'),
      measured: { pids: [floor.pid], databasePid },
    },
    { what: 'list not kept', ...ofShop, addresses: lists('/api/public/products'), aimMs: 1.2, before: '2.5 to 3.5 ms' },
    { what: 'category not kept', ...ofShop, addresses: lists('/api/public/products/category/savory'), aimMs: 1.2 },
    { what: 'search not kept', ...ofShop, addresses: asked(10), aimMs: 2, before: '3.6 to 4.4 ms' },
  ];
  const took = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  const cpu = new Map<Kind, number>(kinds.map((kind) => [kind, 0]));
  for (let round = 0; round < rounds; round++)
    for (const kind of kinds) {
      await pool.query(`select pg_notify('catalog', 'facts')`);
      await pause(100);
      const before = cpuMsOf(kind.measured);
      const times = [];
      for (const address of kind.addresses) times.push(await timed(kind.url + address));
      if (round < 2) continue; // a warm-up: the code is compiled
      took.get(kind)?.push(...times);
      cpu.set(kind, (cpu.get(kind) ?? 0) + cpuMsOf(kind.measured) - before);
    }
  console.log(presentAims(kinds.map((kind) => row(kind, took.get(kind) ?? [], cpu.get(kind) ?? NaN))));
});

function row({ what, aimMs, before = '' }: Kind, took: number[], cpuMs: number): Aim {
  const sorted = took.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  const figures = { best: ms(at(0.05)), p50: ms(at(0.5)), CPU: ms(cpuMs / took.length) };
  const goal = aimMs === undefined ? 'none' : `p50 at most ${aimMs} ms`;
  return { what, figures, before, goal, isMet: aimMs === undefined || at(0.5) <= aimMs };
}

function timed(url: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer: IncomingMessage) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.resume().once('end', () => resolve(performance.now() - began));
    }).once('error', reject);
  });
}
