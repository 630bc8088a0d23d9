/**
 * `npm run bench -- scale`: whether the shop stays as fast as it grows, on the built server with its own PostgreSQL.
 * `-- scale products` or `people` measures a part alone. BENCH_PRODUCTS asks for a larger catalog at the end.
 *
 * The shop reads a page of a public list from the database when it was not asked for since the last change of the
 * catalog. So each page is asked for once a round, and a change is published between the rounds. The median of all counts.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { generateOrders, generateUsers } from '../support/backOffice';
import { addProducts } from '../support/manyProducts';
import { type Aim, presentAims } from './aims';
import { ownerToken } from './buyers';
import type { Parts } from './comparisons';
import { overHttp } from './measure';
import { withBench } from './opened';

type Bench = Parts & { shop: { process: () => { process: { pid?: number | undefined } } } };

const parts = { products: measureProducts, people: measurePeople };
const chosen = process.argv[3];
const deepPage = 500;
const maxGrowth = 1.3;
const searchP95Ms = 20;
const kept = [
  { what: 'kept list, API', path: '/api/public/products?page=0&size=10', mostCpuMs: 0.1 },
  { what: 'kept page of a list', path: '/products/savory', mostCpuMs: 1 },
];
/** Half of the products are sizes, four in each group. */
const lists = {
  list: 'products?sort=featured',
  'grouped list': 'products?sizes=grouped',
  'grouped list by price': 'products?sizes=grouped&sort=price_asc',
  category: 'products/category/aisle-2?sort=featured',
  'grouped category': 'products/category/aisle-2?sizes=grouped',
};
const filters = ['heat=2', 'inStock=true', 'allergens=peanut&sort=name'];
const rounds = 12;
const catalogs = [
  1_000,
  10_000,
  100_000,
  ...(process.env['BENCH_PRODUCTS'] ?? '').split(',').filter(Boolean).map(Number),
];
/** As many as are full in the smallest list: a category of 1,000 products has 125 cards. An empty page costs less. */
const pagesPerRound = 12;

await withBench(async (bench) => {
  const rows: Aim[] = [];
  for (const [name, measure] of Object.entries(parts))
    if (!chosen || chosen === name) rows.push(...(await measure(bench)));
  console.log(presentAims(rows));
});

async function measureProducts(bench: Bench): Promise<Aim[]> {
  const { url, pool } = bench;
  const rows: Aim[] = [];
  const bases = new Map<string, number>();
  let there = 0;
  for (const products of catalogs) {
    await addProducts(pool, there, products, new Date());
    there = products;
    for (const [what, path] of Object.entries(lists)) {
      const address = (page: number) => `${url}/api/public/${path}&page=${page}&size=10`;
      if (!bases.has(what)) await middleOfPages(pool, address, 0); // a warm-up: the code is compiled
      const first = await middleOfPages(pool, address, 0);
      const base = bases.get(what) ?? first;
      bases.set(what, base);
      rows.push(grown(`${what} of ${products} products, read anew`, first, base));
      if (products < 200 * deepPage) continue;
      const late = await middleOfPages(pool, address, deepPage);
      rows.push(grown(`its page ${deepPage}`, late, base));
    }
  }
  for (const filter of filters) rows.push(await measureFilter(bench, there, filter));
  rows.push(...(await measureSearch(bench, there)), await measureSize(pool, there));
  for (const each of kept) rows.push(await measureOffline(bench, each));
  return rows;
}

/** The size of products and of the search index on disk, with indexes. */
async function measureSize(pool: Pool, products: number): Promise<Aim> {
  const sizeOf = async (table: string) => {
    const { rows } = await pool.query<{ bytes: string }>('select pg_total_relation_size($1::regclass) as bytes', [
      table,
    ]);
    return Number(rows[0]?.bytes);
  };
  const [facts, cards, search, words] = [
    await sizeOf('products'),
    await sizeOf('product_cards'),
    await sizeOf('product_search'),
    await sizeOf('search_words'),
  ];
  const each = (bytes: number) => `${(bytes / products).toFixed(0)} bytes`;
  return {
    what: `size of ${products} products, each`,
    figures: {
      facts: each(facts),
      cards: each(cards),
      search: each(search + words),
      all: `${((facts + cards + search + words) / 2 ** 20).toFixed(0)} MB`,
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
      if (round > 0) tookMs.push(took); // the first round is a warm-up
    }
  }
  return at(tookMs, 0.5);
}

/** Makes the shop read everything again. */
async function forget(pool: Pool): Promise<void> {
  await pool.query(`select pg_notify('catalog', 'facts')`);
  await pause(100);
}

/** A filter counts row by row, so it slows down as its category grows. */
async function measureFilter({ url, pool }: Bench, products: number, filter: string): Promise<Aim> {
  const address = (parameters: string) => (page: number) =>
    `${url}/api/public/products/category/aisle-2?${filter}${parameters}&page=${page}&size=10`;
  await middleOfPages(pool, address(''), 0);
  const every = await middleOfPages(pool, address(''), 0);
  const grouped = await middleOfPages(pool, address('&sizes=grouped'), 0);
  const figures = { all: ms(every), grouped: ms(grouped), times: (grouped / every).toFixed(2) };
  return { what: `filter ${filter} of a fifth of ${products}`, figures, goal: 'none', isMet: true };
}

/** Searches as people type them: whole names, parts and beginnings, mistyped ones, words of texts, and nonsense. */
async function measureSearch({ url, pool }: Bench, products: number): Promise<Aim[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from products where archived_at is null order by md5(id::text) limit 30`,
  );
  const named = rows.flatMap(({ name }) => {
    const [kind = '', spice = '', family = ''] = name.split(' ');
    const mistyped = family.slice(0, 3) + family.slice(4);
    return [name, family, family.slice(0, 4), `${kind} ${spice}`, spice.slice(0, 3), mistyped, `${spice}e ${family}`];
  });
  const others = ['seasoning', 'packed by hand', 'grilled fish', 'warm rice', 'motorcycle', 'p', 'coriandr', 'rosated'];
  const queries = new Set([...named, ...others]); // each once a round, since the shop caches answers
  const variants = [
    { what: 'search', parameters: '', tookMs: [] as number[] },
    { what: 'grouped search', parameters: '&sizes=grouped', tookMs: [] as number[] },
  ];
  for (let round = 0; round < 3; round++) {
    await forget(pool);
    // in turn, so that a busy moment of the machine hits both alike
    for (const query of queries)
      for (const { parameters, tookMs } of round % 2 === 0 ? variants : variants.toReversed()) {
        const took = await timed(`${url}/api/public/search?q=${encodeURIComponent(query)}${parameters}`);
        if (round > 0) tookMs.push(took);
      }
  }
  return variants.map(({ what, tookMs }) => {
    const p95 = at(tookMs, 0.95);
    return {
      what: `${what} among ${products} products`,
      figures: { p50: ms(at(tookMs, 0.5)), p95: ms(p95), worst: ms(at(tookMs, 1)) },
      goal: `p95 at most ${searchP95Ms} ms`,
      isMet: p95 <= searchP95Ms,
    };
  });
}

/** Processor time of the shop's process for an answer from its cache. */
async function measureOffline({ url, shop }: Bench, { what, path, mostCpuMs }: (typeof kept)[number]): Promise<Aim> {
  const headers = { 'accept-encoding': 'gzip, deflate, br' };
  await overHttp(url + path, 16, { seconds: 2 }, { headers });
  const before = cpuMs(shop.process().process.pid);
  const began = performance.now();
  const { perSecond } = await overHttp(url + path, 16, { seconds: 4 }, { headers });
  const perRequest = (cpuMs(shop.process().process.pid) - before) / ((perSecond * (performance.now() - began)) / 1000);
  return {
    what: `${what}, CPU per request`,
    figures: { CPU: `${perRequest.toFixed(3)} ms`, 'per second': perSecond.toFixed(0) },
    goal: `at most ${mostCpuMs} ms`,
    isMet: perRequest <= mostCpuMs,
  };
}

/** @returns processor time of the process and its threads so far, user and system, in ticks of 10 ms */
function cpuMs(pid: number | undefined): number {
  const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) * 10;
}

async function measurePeople({ url, pool, secret }: Bench): Promise<Aim[]> {
  const rows: Aim[] = [];
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

function grown(what: string, middle: number, base: number): Aim {
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
