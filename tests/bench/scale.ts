/**
 * `npm run bench -- scale`: whether the shop stays as fast as it grows, on the built server with its own PostgreSQL.
 * `-- scale products`, `people` or `writes` measures a part alone. BENCH_PRODUCTS asks for a larger catalog at the end.
 *
 * An answer of a public list is read from the database when its page was not asked for since the last change of the
 * catalog: each page is asked for once, and between the rounds a change is told. The middle of all counts.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { generateOrders, generateUsers } from '../support/backOffice';
import { addProducts } from '../support/manyProducts';
import { ownerToken } from './buyers';
import { measureAdding, measureOrdering, type Parts } from './comparisons';
import { overHttp } from './measure';
import { withBench } from './opened';

type Bench = Parts & { shop: { process: () => { process: { pid?: number | undefined } } } };
type Row = { what: string; figures: Record<string, string>; goal: string; isMet: boolean };

const parts = { products: measureProducts, people: measurePeople, writes: measureWrites };
const chosen = process.argv[3];
const deepPage = 500;
const maxGrowth = 1.3;
const searchP95Ms = 20;
const keptCpuMs = 0.1;
const rounds = 5;
const catalogs = [
  1_000,
  10_000,
  100_000,
  ...(process.env['BENCH_PRODUCTS'] ?? '').split(',').filter(Boolean).map(Number),
];
const pagesPerRound = 40;

await withBench(async (bench) => {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(parts))
    if (!chosen || chosen === name) rows.push(...(await measure(bench)));
  const lines = rows.map(({ what, figures, goal, isMet }) => {
    const said = Object.entries(figures).map(([name, figure]) => `${name} ${figure}`);
    return `| ${what} | ${said.join(', ')} | ${goal} | ${isMet ? 'yes' : 'no'} |`;
  });
  const head = `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`;
  console.log([head, '', '|  | measured | aim | met |', '| --- | --- | --- | --- |', ...lines].join('\n'));
});

async function measureProducts(bench: Bench): Promise<Row[]> {
  const { url, pool } = bench;
  const rows: Row[] = [];
  let base = NaN;
  let there = 0;
  const address = (page: number) => `${url}/api/public/products?page=${page}&size=10`;
  for (const products of catalogs) {
    await addProducts(pool, there, products, new Date());
    there = products;
    if (Number.isNaN(base)) await middleOfPages(pool, address, 0); // the shop's code is not yet as fast as it will be
    const first = await middleOfPages(pool, address, 0);
    if (Number.isNaN(base)) base = first;
    rows.push(grown(`list of ${products} products, read anew`, first, base));
    if (products < 10 * deepPage) continue;
    const late = await middleOfPages(pool, address, deepPage);
    rows.push(grown(`its page ${deepPage}`, late, base));
  }
  return [...rows, await measureSearch(bench, there), await measureSize(pool, there), await measureKept(bench)];
}

/** On disk, with indexes: what a product is, and what it is found by. */
async function measureSize(pool: Pool, products: number): Promise<Row> {
  const sizeOf = async (table: string) => {
    const { rows } = await pool.query<{ bytes: string }>('select pg_total_relation_size($1::regclass) as bytes', [
      table,
    ]);
    return Number(rows[0]?.bytes);
  };
  const [facts, search, words] = [
    await sizeOf('products'),
    await sizeOf('product_search'),
    await sizeOf('search_words'),
  ];
  const each = (bytes: number) => `${(bytes / products).toFixed(0)} bytes`;
  return {
    what: `size of ${products} products, each`,
    figures: {
      facts: each(facts),
      search: each(search + words),
      all: `${((facts + search + words) / 2 ** 20).toFixed(0)} MB`,
    },
    goal: 'none',
    isMet: true,
  };
}

async function middleOfPages(pool: Pool, address: (page: number) => string, from: number): Promise<number> {
  const tookMs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await forget(pool);
    for (let page = from; page < from + pagesPerRound; page++) {
      const took = await timed(address(page));
      if (round > 0) tookMs.push(took); // the first is for what only the first of its kind waits for
    }
  }
  return at(tookMs, 0.5);
}

/** Has the shop read everything anew. */
async function forget(pool: Pool): Promise<void> {
  await pool.query(`select pg_notify('catalog', 'facts')`);
  await pause(100);
}

/** Of words as they are typed: whole names, parts and beginnings of them, mistyped, of the text, and of nothing. */
async function measureSearch({ url, pool }: Bench, products: number): Promise<Row> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from products where archived_at is null order by md5(id::text) limit 30`,
  );
  const queries = rows.flatMap(({ name }) => {
    const [kind = '', spice = '', family = ''] = name.split(' ');
    const mistyped = family.slice(0, 3) + family.slice(4);
    return [name, family, family.slice(0, 4), `${kind} ${spice}`, spice.slice(0, 3), mistyped, `${spice}e ${family}`];
  });
  const others = ['seasoning', 'packed by hand', 'grilled fish', 'warm rice', 'motorcycle', 'p', 'coriandr', 'rosated'];
  const tookMs: number[] = [];
  for (let round = 0; round < 3; round++) {
    await forget(pool);
    for (const query of [...queries, ...others]) {
      const took = await timed(`${url}/api/public/search?q=${encodeURIComponent(query)}`);
      if (round > 0) tookMs.push(took);
    }
  }
  const p95 = at(tookMs, 0.95);
  return {
    what: `search among ${products} products`,
    figures: { p50: ms(at(tookMs, 0.5)), p95: ms(p95), worst: ms(at(tookMs, 1)) },
    goal: `p95 at most ${searchP95Ms} ms`,
    isMet: p95 <= searchP95Ms,
  };
}

/** What the process of the shop uses of its processors, for an answer that it has ready. */
async function measureKept({ url, shop }: Bench): Promise<Row> {
  const address = `${url}/api/public/products?page=0&size=10`;
  const headers = { 'accept-encoding': 'gzip, deflate, br' };
  await overHttp(address, 16, { seconds: 2 }, { headers });
  const before = cpuMs(shop.process().process.pid);
  const began = performance.now();
  const { perSecond } = await overHttp(address, 16, { seconds: 4 }, { headers });
  const perRequest = (cpuMs(shop.process().process.pid) - before) / ((perSecond * (performance.now() - began)) / 1000);
  return {
    what: 'kept list, CPU per request',
    figures: { CPU: `${perRequest.toFixed(3)} ms`, 'per second': perSecond.toFixed(0) },
    goal: `at most ${keptCpuMs} ms`,
    isMet: perRequest <= keptCpuMs,
  };
}

/** @returns all that the process used so far, its threads too: user and system time, in ticks of 10 ms */
function cpuMs(pid: number | undefined): number {
  const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) * 10;
}

async function measurePeople({ url, pool, secret }: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  const bases = new Map<string, number>();
  let there = 0;
  for (const many of [1_000, 100_000]) {
    const now = new Date();
    const userId = await generateUsers(pool, many - there, now, `user${many}-`);
    await generateOrders(pool, many - there, now, `buyer${many}-`);
    there = many;
    const headers = { authorization: `Bearer ${await ownerToken(pool, userId, secret)}` };
    for (const list of ['orders', 'users'])
      for (const page of many < 10 * deepPage ? [0] : [0, deepPage]) {
        const took: number[] = [];
        for (let time = 0; time < 120; time++)
          took.push(await timed(`${url}/api/admin/${list}?page=${page + (time % 20)}&size=10`, headers));
        const middle = at(took.slice(60), 0.5);
        bases.set(list, bases.get(list) ?? middle);
        rows.push(grown(`${many} ${list}, page ${page}`, middle, bases.get(list) ?? NaN));
      }
  }
  return rows;
}

async function measureWrites(bench: Bench): Promise<Row[]> {
  const adding = await measureAdding(bench);
  const [ordering] = await measureOrdering(bench);
  return [
    { ...adding, aim: 1_000 },
    { name: 'orders, the provider takes no time', ...ordering, aim: 200 },
  ].map(({ name, bare, shop, aim }) => {
    const [perSecond = 0, ofBare = 0] = [shop?.perSecond, bare?.perSecond];
    const figures = { 'per second': perSecond.toFixed(0), 'of bare SQL': (perSecond / ofBare).toFixed(2) };
    return { what: name, figures, goal: `${aim} per second`, isMet: perSecond >= aim };
  });
}

function grown(what: string, middle: number, base: number): Row {
  const figures = { middle: ms(middle), ratio: (middle / base).toFixed(2) };
  return { what, figures, goal: `at most ${maxGrowth} of the first`, isMet: middle / base <= maxGrowth };
}

async function timed(url: string, headers: Record<string, string> = {}): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  const tookMs = performance.now() - began;
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return tookMs;
}

function at(tookMs: readonly number[], share: number): number {
  const sorted = tookMs.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}
