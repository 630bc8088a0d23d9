/**
 * `npm run bench -- lists`: how long the lists of the back office take with 100,000 orders and users and 10,000 products,
 * on the built server with its own PostgreSQL: every filter of the contract by itself with every sort, both ways, on the
 * first page and a late one. Ends with an error when any of them takes more than 200 ms at the 95th percentile, or a search
 * of orders for what identifies few of them more than 50 ms.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import type { OperationId } from '../../src/shared/contract';
import { orderStatuses } from '../../src/shared/orders';
import { startProvider } from '../chaos/provider';
import { createShop } from '../chaos/shop';
import {
  generateLog,
  generateOrders,
  generateOrderTexts,
  generateProducts,
  generateUsers,
} from '../support/backOffice';
import { generateSelling } from '../support/generatedSelling';
import { requireOperation } from '../support/contract';
import { ownerToken } from './buyers';

const limitMs = 200;
/** Of orders, newest first. `generateOrderTexts` has these texts in the 77th order. */
const searchLimitMs = 50;
/** What identifies orders finds at most so many. */
const fewOrders = 2_000;
const searches: Record<string, string> = {
  'a number': '51042',
  'a number with #': '#51042',
  'a name': 'okafor 77',
  'an email': 'user77@example.com',
  'a part of an email': 'user77',
  'a product': 'Berbere 115',
  'a SKU': 'SKU-77',
  'a street': '9823 Oak Road',
  'a tracking number': '9400111200063859869227',
  'the same with spaces': '9400 1112 0006 3859 8692 27',
  'a payment id': `pi_${createHash('md5').update('77').digest('hex').slice(0, 24)}`,
  nothing: 'nowhere to be found',
  'a product in a third of the orders': 'berbere',
  'a name in a fifth of the orders': 'awa',
  'two letters': 'be',
  'a letter': 'a',
  'a digit': '1',
};
const asked = 2; // times each
const askedAgain = 20; // times, when a call took nearly as long as the limit
/** `npm run bench -- lists listOrders` measures this one alone. */
const chosen = process.argv[3];
const size = 10;

/** Each filter by itself, as a query; the contract has the sorts. `rows` gives the number of the late page. */
const lists: { id: OperationId; rows: number; filters: string[]; path?: Record<string, string> }[] = [
  {
    id: 'listOrders',
    rows: 100_000,
    filters: [
      ...orderStatuses.map((status) => `status=${status}`),
      'toShip=true',
      'toShip=true&by=paid&from=DAY-30',
      ...['Awa', 'okafor 77', '%25 Chef_N', '1', '%231042', 'nobody'].map((words) => `q=${words}`),
      ...['created', 'paid', 'refunded', 'money'].flatMap((by) => [`by=${by}&from=DAY-30`, `by=${by}&from=DAY-365`]),
      'by=paid&from=DAY-0',
      'by=money',
      'discount=CODE',
      'customer=CUSTOMER',
      'state=GA',
      ...['product=PRODUCT', 'product=delivery', 'product=none', 'category=CATEGORY'].flatMap((part) => [
        part,
        `by=money&from=DAY-365&${part}`,
      ]),
    ],
  },
  {
    id: 'listUsers',
    rows: 100_000,
    filters: [
      ...['ROLE_ADMIN', 'ROLE_CUSTOMER', 'ROLE_OWNER'].map((role) => `role=${role}`),
      ...['Awa', 'okafor 77', 'user9', 'a', 'nobody'].map((words) => `q=${words}`),
      'isEnabled=true',
      'isEnabled=false',
    ],
  },
  {
    id: 'listMessages',
    rows: 20_000,
    filters: ['state=new', 'state=read', 'state=answered', 'q=kilo', 'q=a', 'q=nobody', 'customer=CUSTOMER'],
  },
  { id: 'listMails', rows: 100_000, filters: ['state=sent', 'state=failed', 'state=waiting'] },
  {
    id: 'listAudit',
    rows: 100_000,
    filters: [
      'action=order.status_changed',
      'kind=order',
      'kind=user',
      'actor=ACTOR',
      'from=DAY-30',
      'from=DAY-30&to=DAY-30',
    ],
  },
  {
    id: 'listProductsForStaff',
    rows: 10_000,
    filters: [
      'q=Pepper',
      'q=a',
      'q=nobody',
      'availability=available',
      'availability=notAvailable',
      'lowStock=true',
      'archived=yes',
      'archived=all',
      'category=savory',
      'supplier=Mill 3',
      'supplier=nobody',
      'tag=tag-7',
      'tag=tag-21',
      'supplier=Mill 3&tag=tag-21',
    ],
  },
  { id: 'listCategoriesForStaff', rows: 20, filters: ['q=shelf'] },
  {
    id: 'listDiscounts',
    rows: 1_000,
    filters: ['q=spring', 'q=nobody', 'status=active', 'status=used_up', 'period=30days', 'period=year&status=ended'],
  },
  // no lists, but the pages that lead to the lists
  { id: 'getDashboard', rows: 0, filters: ['period=today', 'period=90days', 'period=year'] },
  ...(['product', 'category', 'month', 'state'] as const).map((by) => ({
    id: 'getReport' as const,
    rows: 20, // in pages, as its screen asks; all rows of 10,000 products at once take longer
    path: { by },
    filters: ['period=today', 'period=90days', 'period=year', 'from=DAY-3000&to=DAY-0'],
  })),
  { id: 'getTaxCollected', rows: 0, filters: ['from=DAY-0', 'from=DAY-30', 'from=DAY-365', 'from=DAY-3000&to=DAY-0'] },
  {
    id: 'getSalesSummary',
    rows: 0,
    filters: ['', 'by=day', 'by=month', 'by=product', 'by=category', 'by=state', 'by=code'].flatMap((by) =>
      ['period=month', 'period=90days', 'period=year', 'from=DAY-180&to=DAY-0', 'from=DAY-3000&to=DAY-0'].map(
        (period) => [period, by].filter(Boolean).join('&'),
      ),
    ),
  },
];

const home = await mkdtemp(path.join(tmpdir(), 'shop-bench-'));
const shop = await createShop(home, undefined, { output: 'ignore' });
const provider = await startProvider(path.join(home, 'provider'), `${shop.url}/api/payments/webhook`);
try {
  const sessionSecret = randomUUID() + randomUUID();
  await shop.start(provider, { SESSION_SECRET: sessionSecret, LOG_LEVEL: 'error' });
  const pool = new Pool({ ...shop.database(), max: 2 });
  const actorId = await fill(pool);
  const example = await findExample(pool);
  const headers = { authorization: `Bearer ${await ownerToken(pool, actorId, sessionSecret)}` };
  await pool.end();
  if (!chosen || chosen === 'listOrders') await measureSearches(headers);
  await measure(headers, { ACTOR: actorId, ...example });
} finally {
  await shop.close();
  await provider.close();
  await rm(home, { recursive: true, force: true });
}

/** Writes the texts of all orders once, instead of with each change: otherwise filling takes most of the bench. */
async function writeWordsAfter(pool: Pool, work: () => Promise<void>): Promise<void> {
  const { rows } = await pool.query<{ name: string; relation: string }>(
    `select tgname as name, tgrelid::regclass::text as relation from pg_trigger join pg_proc on pg_proc.oid = tgfoid
     where proname like 'write_words_of_%'`,
  );
  for (const { name, relation } of rows) await pool.query(`alter table ${relation} disable trigger ${name}`);
  await work();
  for (const { name, relation } of rows) await pool.query(`alter table ${relation} enable trigger ${name}`);
  await pool.query('truncate order_words');
  await pool.query('insert into order_words select * from order_words_anew');
  await pool.query('vacuum analyze order_words');
}

async function fill(pool: Pool): Promise<string> {
  const now = new Date();
  const userId = await generateUsers(pool, 100_000, now);
  await generateOrders(pool, 100_000, now);
  await generateProducts(pool, 10_000, now);
  await writeWordsAfter(pool, async () => {
    await generateSelling(pool, now);
    await generateOrderTexts(pool);
  });
  await generateLog(pool, userId, now);
  await untilDaysAreKept(pool);
  return userId;
}

/** The shop's job has summed up all days, as it has a minute after a payment. */
async function untilDaysAreKept(pool: Pool): Promise<void> {
  const isKept = async () => (await pool.query('select from money_touched limit 1')).rows.length === 0;
  while (!(await isKept())) await pause(1_000);
  await pool.query('vacuum analyze daily_money, money_touched');
}

/** Ids used by the filters. */
async function findExample(pool: Pool): Promise<Record<'CODE' | 'CUSTOMER' | 'PRODUCT' | 'CATEGORY', string>> {
  const idOf = async (query: string) => (await pool.query<{ id: string }>(query)).rows[0]?.id ?? '';
  return {
    CODE: await idOf(
      'select discount_id as id from orders where discount_id is not null group by 1 order by count(*) desc',
    ),
    CUSTOMER: await idOf('select user_id as id from orders group by 1 order by count(*) desc limit 1'),
    PRODUCT: await idOf('select product_id as id from order_items group by 1 order by count(*) desc limit 1'),
    CATEGORY: await idOf(`select id from categories where name = 'shelf-7'`),
  };
}

async function measureSearches(headers: Record<string, string>): Promise<void> {
  const slow: string[] = [];
  for (const [what, q] of Object.entries(searches)) {
    const query = new URLSearchParams({ q, size: '10' }).toString();
    const { p95Ms, rows } = await time(`${shop.url}/api/admin/orders?${query}`, headers, searchLimitMs);
    console.log(`${p95Ms.toFixed(0).padStart(5)} ms  ${rows}  ${what}`);
    if (p95Ms > (rows > fewOrders ? limitMs : searchLimitMs)) slow.push(what);
  }
  if (slow.length > 0) throw new Error(`searching orders by ${slow.join(', ')} takes too long`);
}

type Measured = { what: string; p95Ms: number; rows: number };

async function measure(headers: Record<string, string>, example: Record<string, string>): Promise<void> {
  const measured: Measured[] = [];
  for (const list of lists.filter(({ id }) => !chosen || id === chosen)) {
    const template = requireOperation(list.id).path.replace(/\{(\w+)\}/g, (_, name: string) => list.path?.[name] ?? '');
    for (const query of combinations(list, example))
      measured.push(await time(`${shop.url}/api${template}?${query}`, headers));
  }
  measured.sort((one, other) => other.p95Ms - one.p95Ms);
  const slowest = measured
    .slice(0, 25)
    .map(({ what, p95Ms, rows }) => `${p95Ms.toFixed(0).padStart(5)} ms  ${rows}  ${what}`);
  const slow = measured.filter(({ p95Ms }) => p95Ms > limitMs);
  console.log(`${measured.length} combinations; the slowest (p95, rows in all):\n${slowest.join('\n')}`);
  if (slow.length > 0) throw new Error(`${slow.length} combinations take more than ${limitMs} ms`);
}

function combinations({ id, rows, filters }: (typeof lists)[number], example: Record<string, string>): string[] {
  const sort = requireOperation(id).parameters?.find(({ name }) => name === 'sort') as
    | { schema: { enum: string[] } }
    | undefined;
  const orders = sort
    ? sort.schema.enum.flatMap((name) => ['asc', 'desc'].map((way) => `sort=${name}&direction=${way}`))
    : [''];
  const pages = rows === 0 ? [] : [0, Math.floor((rows / size) * 0.5)].map((page) => `page=${page}&size=${size}`);
  const day = (_: string, ago: string) => new Date(Date.now() - Number(ago) * 86_400_000).toISOString().slice(0, 10);
  const known = ['', ...filters].map((filter) =>
    filter.replaceAll(/DAY-(\d+)/g, day).replace(/\b[A-Z]{4,}\b/, (name) => example[name] ?? name),
  );
  return known.flatMap((filter) =>
    orders.flatMap((order) =>
      (pages.length > 0 ? pages : ['']).map((page) => [filter, order, page].filter(Boolean).join('&')),
    ),
  );
}

async function time(url: string, headers: Record<string, string>, limit = limitMs): Promise<Measured> {
  const tookMs: number[] = [];
  let rows = 0;
  await ask(); // a warm-up that does not count
  for (let times = asked; tookMs.length < times;) {
    const began = performance.now();
    rows = await ask();
    tookMs.push(performance.now() - began);
    if (Math.max(...tookMs) > limit * 0.8) times = askedAgain;
  }

  async function ask(): Promise<number> {
    const answer = await fetch(url, { headers });
    const { data } = (await answer.json()) as { data?: Record<string, { totalElements?: number }> };
    if (!answer.ok || !data) throw new Error(`${url} answered ${answer.status}`);
    return Object.values(data)[0]?.totalElements ?? 0;
  }
  tookMs.sort((one, other) => one - other);
  return {
    what: decodeURIComponent(url.slice(url.indexOf('/admin'))),
    p95Ms: tookMs[Math.ceil(tookMs.length * 0.95) - 1] ?? 0,
    rows,
  };
}
