/**
 * A shop moves here from another one, and its process is killed in the middle, several times in each part: while its rows
 * are imported, while its photos are loaded, and while the import is undone. After the last kill of a part the shop goes on
 * by itself. Then every size, its stock, and its photos are compared with what the other shop had.
 * Rule: docs/rules/catalog.md, Importing a file, Photos from links
 */
import { randomUUID } from 'node:crypto';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import sharp from 'sharp';
import { filesOf } from '../../src/server/pictures/files';
import { hashOf } from '../../src/server/pictures/processPicture';
import type { Schema } from '../../src/shared/contract';
import { compareMoved, dumpProducts, type Moved } from '../support/movedCatalog';
import { oldProducts, type OldProduct, type OldShop } from '../support/oldShops';
import { startPhotoServer, type PhotoServer } from '../support/photoServer';
import { buildPhotoShop } from './buildPhotoShop';
import { logIn, newSeen, type Caller } from './caller';
import { startProvider } from './provider';
import { createRandom } from './random';
import { createShop, owner, type KillKind, type Shop } from './shop';

export type ImportKillOptions = {
  from: OldShop;
  products: number;
  /** In each of the three parts, or fewer if the part is over before. */
  kills: number;
  seed: number;
  /** The shop works on this database instead of its own, which is then not killed. */
  databaseUrl: string | undefined;
  report: (line: string) => void;
};
export type ImportKillTotals = {
  /** Kills in the middle of each part. */
  kills: Record<Part, number>;
  seconds: Record<Part, number>;
  sizes: number;
  photos: number;
  wrong: string[];
};
type Part = 'rows' | 'photos' | 'undo';
type Import = Schema<'Import'>;

/** Each of these products was in the shop before, with a photo, under the same SKUs. */
const wasThere = (at: number) => at % 25 === 3;
/** A photo that was being loaded is loaded again two minutes later, and each minute the job looks for such photos. */
const overWithinMs = 900_000;

/** @throws Error when the shop does not start, or an answer cannot be right */
export async function runImportKills(options: ImportKillOptions): Promise<ImportKillTotals> {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-import-kills-'));
  const closers: (() => Promise<unknown>)[] = [() => rm(home, { recursive: true, force: true, maxRetries: 20 })];
  try {
    const program = await buildPhotoShop();
    const photos = await startPhotoServer();
    closers.push(photos.close);
    const shop = await createShop(home, options.databaseUrl, { program });
    closers.push(() => shop.close());
    const provider = await startProvider(path.join(home, 'provider'), `${shop.url}/api/payments/webhook`);
    closers.push(provider.close);
    await shop.start(provider);
    const staff = await logIn(shop.url, owner, newSeen());
    return await move(options, { shop, photos, staff });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

type Parts = { shop: Shop; photos: PhotoServer; staff: Caller };

async function move(options: ImportKillOptions, { shop, photos, staff }: Parts): Promise<ImportKillTotals> {
  const { from, report } = options;
  const random = createRandom(options.seed);
  const old = oldProducts(`photos.example:${photos.port}`, options.products);
  const sizes = old.reduce((sum, { variants }) => sum + variants.length, 0);
  const photoIds = await servePhotos(photos, [...new Set(old.flatMap((product) => product.photos))]);
  const calls = importsOf(staff);
  const inDatabase = <Result>(work: (pool: Pool) => Promise<Result>) => withPool(shop, work);

  const { file, photosBefore } = await fileOfBefore(photos, old);
  await calls.finish(await calls.start(file, sameNames(file)), 'done');
  await inDatabase((pool) => pool.query(wakePhotos));
  const before = await inDatabase(async (pool) => {
    const { rows } = await pool.query<{ id: string }>('select id from products');
    const ids = rows.map(({ id }) => id);
    return { ids, products: await dumpProducts(pool, ids), sources: await dumpSources(pool) };
  });

  const totals: ImportKillTotals = {
    kills: { rows: 0, photos: 0, undo: 0 },
    seconds: { rows: 0, photos: 0, undo: 0 },
    sizes,
    photos: 0,
    wrong: [],
  };
  /** Kills the shop in the middle of the part: each time after it has done something since its start. */
  const killDuring = async (part: Part, left: () => Promise<number>) => {
    const began = Date.now();
    while (totals.kills[part] < options.kills) {
      const last = await left();
      let open = last;
      await until(`progress of the ${part}`, async () => (open = await left()) < last || last === 0, 20);
      await pause(random.below(1_000));
      if (open === 0) break;
      const kind = random.oneOf<KillKind>(shop.kills.includes('both') ? ['shop', 'shop', 'both'] : ['shop']);
      const { readyMs, wrong } = await shop.kill(kind);
      totals.kills[part] += 1;
      totals.wrong.push(...wrong);
      report(`${part}: ${kind} killed with ${open} left, ready after ${readyMs} ms`);
      if (part === 'photos') await inDatabase((pool) => pool.query(wakePhotos)); // as each minute
    }
    await until(`the end of the ${part}`, async () => (await left()) === 0);
    totals.seconds[part] = Math.round((Date.now() - began) / 1000);
  };
  const leftOf = (id: string) => async () => {
    const { state, progress } = await calls.read(id);
    return state === 'running' || state === 'undoing' ? progress.of - progress.done + 1 : 0;
  };

  const exported = from.exportOf(old);
  const preview = await calls.start(exported);
  if (preview.rows.wrong > 0) totals.wrong.push(JSON.stringify(preview.problems));
  const { id } = preview;
  await calls.post(`/${id}/run`);
  await killDuring('rows', leftOf(id));
  const imported = await calls.read(id);
  if (imported.state !== 'done' || imported.rows.new + imported.rows.changed !== sizes || imported.rows.wrong > 0)
    totals.wrong.push(`the import ended as ${JSON.stringify(imported)}`);

  await killDuring('photos', async () => (await calls.read(id)).photos?.waiting ?? 0);
  const { photos: counts } = await calls.read(id);
  totals.photos = counts?.done ?? 0;
  if (counts?.failed !== 0) totals.wrong.push(`photos: ${JSON.stringify(counts)}`);
  const moved: Moved = { products: old, photoIds, altOf: from.altOf, photosBefore };
  totals.wrong.push(...(await inDatabase((pool) => compareMoved(pool, moved))));
  totals.wrong.push(...(await findMissingFiles(shop.dataDir, [...photoIds.values()])));
  totals.wrong.push(...(await inDatabase(findLeftovers)));
  totals.wrong.push(...(await findLostAddresses(shop.url, old, from, await inDatabase(readSlugs))));

  // imported again, it changes nothing
  const after = await inDatabase((pool) => dumpProducts(pool));
  const asked = photos.asked.length;
  const again = await calls.start(exported);
  if (again.rows.unchanged !== sizes) totals.wrong.push(`imported again: ${JSON.stringify(again.rows)}`);
  await calls.post(`/${again.id}/run`);
  await until('the second import', async () => (await leftOf(again.id)()) === 0);
  const same = await inDatabase((pool) => dumpProducts(pool));
  totals.wrong.push(...differences('imported again', after, same));
  if (photos.asked.length > asked) totals.wrong.push('imported again, photos were loaded');

  await calls.post(`/${id}/undo`);
  await killDuring('undo', leftOf(id));
  const undone = await calls.read(id);
  if (undone.state !== 'undone' || undone.kept.length > 0)
    totals.wrong.push(`undone, it was ${JSON.stringify({ state: undone.state, kept: undone.kept.slice(0, 5) })}`);
  const end = await inDatabase(async (pool) => {
    const { rows } = await pool.query<{ sku: string }>(
      'select sku from products where archived_at is null and not id = any($1)',
      [before.ids],
    );
    const products = await dumpProducts(pool, before.ids);
    return { products, sources: await dumpSources(pool), added: rows.map(({ sku }) => sku) };
  });
  totals.wrong.push(...differences('undone', before.products, end.products));
  totals.wrong.push(...differences('undone, its entries', before.sources, end.sources));
  if (end.added.length > 0) totals.wrong.push(`undone, these are still on sale: ${end.added.join(', ')}`);
  totals.wrong.push(...(await inDatabase(findLeftovers)));
  return totals;
}

/** Serves a picture for each link, unlike all others. @returns their ids by link */
async function servePhotos(server: PhotoServer, links: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [at, link] of links.entries()) {
    const background = { r: at % 256, g: (at >> 8) * 40, b: 90 };
    const create = { width: 24 + (at % 200), height: 16, channels: 3 as const, background };
    const file = await sharp({ create }).png().toBuffer();
    const { pathname, search } = new URL(link);
    server.photo(pathname + search, file);
    ids.set(link, hashOf(file));
  }
  return ids;
}

/** The file of what the shop had before: other names, prices, and stock, and a photo. */
async function fileOfBefore(server: PhotoServer, old: readonly OldProduct[]) {
  const skus = old.filter((_, at) => wasThere(at)).flatMap(({ variants }) => variants.map(({ sku }) => sku));
  const links = new Map(skus.map((sku) => [sku, server.at(`/before/${sku}.png`)]));
  const ids = await servePhotos(server, [...links.values()]);
  const rows = skus.map((sku) => `${sku},Before ${sku},As it was,1.25,yes,7,spices,"was, here",${links.get(sku)}`);
  return {
    file: ['sku,name,description,price,availability,quantity,category,tags,photos', ...rows].join('\n'),
    photosBefore: new Map([...links].map(([sku, link]) => [sku, ids.get(link) ?? ''])),
  };
}

/** Each column is the field of its name. */
const sameNames = (file: string): string =>
  JSON.stringify(Object.fromEntries((file.split('\n')[0] ?? '').split(',').map((name) => [name, name])));

const wakePhotos = `select graphile_worker.add_job('fetchPhotos', '{}', job_key := 'fetchPhotos', max_attempts := 1)`;

function importsOf(staff: Caller) {
  const call = async (method: string, ending: string, form?: Record<string, string | Blob>): Promise<Import> => {
    const sent = form ? { form } : method === 'GET' ? {} : { body: {} };
    const asked = { method, path: `/admin/imports${ending}`, ...sent };
    const answer = await staff.call({ ...asked, ...(method === 'POST' && { key: randomUUID() }) });
    if (answer.status >= 300) throw new Error(`${ending}: ${answer.status} ${answer.message}`);
    return answer.data['import'] as unknown as Import;
  };
  const post = (ending: string) => call('POST', ending);
  const read = (id: string) => call('GET', `/${id}`);
  return {
    post,
    read,
    start: (file: string, mapping?: string) =>
      call('POST', '', { file: new Blob([file]), fileName: 'products.csv', ...(mapping && { mapping }) }),
    /** Imports a file, with its photos. */
    async finish({ id }: Import, state: Import['state']) {
      await post(`/${id}/run`);
      await until('an import', async () => {
        const found = await read(id);
        return found.state === state && found.photos?.waiting === 0;
      });
    },
  };
}

async function until(what: string, isSo: () => Promise<boolean>, everyMs = 250): Promise<void> {
  for (const began = Date.now(); !(await isSo()); await pause(everyMs))
    if (Date.now() - began > overWithinMs) throw new Error(`${what}: not in ${overWithinMs / 1000} s`);
}

async function withPool<Result>(shop: Shop, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = new Pool({ ...shop.database(), max: 1 });
  pool.on('error', () => undefined);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

async function dumpSources(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    'select to_jsonb(s)::text as line from product_sources s order by source, key',
  );
  return rows.map(({ line }) => line);
}

/** @returns photos without all of their files, in both formats */
async function findMissingFiles(dataDir: string, ids: readonly string[]): Promise<string[]> {
  const names = ids.flatMap((id) => filesOf(id).map(({ name }) => name));
  const found = await Promise.all(
    names.map((name) =>
      access(path.join(dataDir, 'pictures', name)).then(
        () => [],
        () => [`the file ${name} is missing`],
      ),
    ),
  );
  return found.flat();
}

async function readSlugs(pool: Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ sku: string; slug: string }>(
    'select sku, slug from products where sku is not null',
  );
  return new Map(rows.map(({ sku, slug }) => [sku, slug]));
}

/** @returns products whose old address does not redirect to the page of their first size */
async function findLostAddresses(
  url: string,
  old: readonly OldProduct[],
  { addressOf }: OldShop,
  slugs: ReadonlyMap<string, string>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const product of old) {
    const { status, headers } = await fetch(`${url}${encodeURI(addressOf(product))}`, { redirect: 'manual' });
    const page = `/p/${slugs.get(product.variants[0]?.sku ?? '')}`;
    const { pathname } = new URL(headers.get('location') ?? '', url);
    if (status !== 301 || decodeURIComponent(pathname) !== page)
      wrong.push(`${addressOf(product)} was answered ${status} ${pathname}, not 301 ${page}`);
  }
  return wrong;
}

/** @returns what is left half done, and stock that differs from its ledger */
async function findLeftovers(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ what: string }>(`
    select 'an upload is ' || state as what from picture_uploads where state in ('processing', 'failed')
    union all select 'a photo is ' || state from photo_fetches where state in ('waiting', 'failed')
    union all select 'the stock of ' || name || ' differs from its ledger' from products p
      where quantity <> (select coalesce(sum(shelf), 0) from stock_movements m where m.product_id = p.id)`);
  return rows.map(({ what }) => what);
}

function differences(when: string, before: readonly string[], after: readonly string[]): string[] {
  const [was, is] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !is.has(line)).map((line) => `${when}, this is gone: ${line}`),
    ...after.filter((line) => !was.has(line)).map((line) => `${when}, this is new: ${line}`),
  ];
}
