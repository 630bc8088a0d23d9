/**
 * Pictures in a real S3-compatible storage: two processes of the shop, each with a folder of its own, take pictures
 * from staff and serve the pictures of both. One of them is killed meanwhile, the storage stops answering for a while
 * (with http only, since a proxy has no certificate of the storage), and a backup is restored into another folder of
 * the bucket. The chaos run removes everything that it wrote into the bucket.
 */
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { readConfig } from '../../src/server/core/config';
import { filesOf, type PictureStore } from '../../src/server/pictures/files';
import { checkPictureStore, openPictureStore } from '../../src/server/pictures/store';
import { fileForm } from '../support/pictures';
import { openWire, type Wire } from '../support/databaseProxy';
import { openMarket, type Market } from './market';
import { findOwnDatabase } from './processes';
import { createShop, owner, type Shop } from './shop';

export type StorageKeys = { url: string; accessKeyId: string; secretAccessKey: string };
export type S3Totals = {
  uploads: number;
  /** Answers to uploads, by status; refused uploads were sent again. */
  answers: Record<string, number>;
  kills: number;
  pictures: number;
  /** Files of pictures that were read from both processes and compared with the bucket. */
  files: number;
  /** While the storage was silent: status and time of an upload, and of a picture that was not in a cache. */
  silent: string;
  restoredFiles: number;
  wrong: string[];
};

const madeWithinMs = 300_000;
const backWithinMs = 60_000;

export async function runS3(
  keys: StorageKeys,
  {
    uploads,
    databaseUrl,
    report,
  }: { uploads: number; databaseUrl: string | undefined; report: (line: string) => void },
): Promise<S3Totals> {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-chaos-s3-'));
  const wire = await openLine(keys.url);
  const closers: (() => Promise<unknown>)[] = [
    () => rm(home, { recursive: true, force: true, maxRetries: 20 }),
    async () => wire?.close(),
  ];
  const folders = { shop: `chaos-${randomUUID()}`, restored: `chaos-${randomUUID()}` };
  const direct = settingsOf(keys, folders.shop);
  const elsewhere = settingsOf(keys, folders.restored);
  try {
    const store = await openStore(direct);
    const restoredStore = await openStore(elsewhere);
    closers.push(
      () => removeAll(store),
      () => removeAll(restoredStore),
    );
    const storage = settingsOf({ ...keys, url: throughLine(keys.url, wire) }, folders.shop);
    const settings = { ...storage, SESSION_SECRET: randomUUID() + randomUUID() };
    const market = await openMarket(databaseUrl, { settings });
    closers.push(market.close);
    const second = await openSecond(market, path.join(home, 'second'), databaseUrl, settings);
    closers.push(() => second.close());
    const shops = [market.shop, second];

    const totals: S3Totals = {
      uploads,
      answers: {},
      kills: 0,
      pictures: 0,
      files: 0,
      silent: 'not tried',
      restoredFiles: 0,
      wrong: [],
    };
    const ids = market.products.slice(0, uploads).map(({ id }) => id);
    report(`${ids.length} uploads to two processes, of which one is killed`);
    for (const [index, id] of ids.entries()) {
      if (index === Math.floor(ids.length / 2)) {
        totals.wrong.push(...(await second.kill('shop')).wrong);
        totals.kills++;
      }
      await untilTaken(shops[index % 2] as Shop, id, totals.answers);
    }
    await untilMade(market, totals);
    report('every file is compared');
    await compare(market, shops, store, totals);
    if (wire) totals.silent = await fallSilent(market, second, wire, totals);
    report('backup and restore');
    totals.restoredFiles = await backUpAndRestore(market, home, settings, elsewhere, totals);
    await compareStores(store, restoredStore, totals);
    totals.wrong.push(...market.shop.leaked(), ...second.leaked());
    return totals;
  } finally {
    for (const step of closers.toReversed()) await step();
  }
}

/** The proxy to the storage, if there can be one. */
async function openLine(address: string): Promise<Wire | undefined> {
  const { protocol, hostname, port } = new URL(address);
  return protocol === 'http:' ? openWire({ host: hostname, port: Number(port || 80) }) : undefined;
}

function throughLine(address: string, wire: Wire | undefined): string {
  if (!wire) return address;
  const { port } = wire.reach({});
  return Object.assign(new URL(address), { host: `127.0.0.1:${port}` }).href;
}

/** @param folder the chaos run's own folder in the bucket */
function settingsOf({ url, accessKeyId, secretAccessKey }: StorageKeys, folder: string): Record<string, string> {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/$/, '')}/${folder}`;
  return { S3_URL: address.href, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
}

async function openStore(settings: Record<string, string>): Promise<PictureStore> {
  const { s3, dataDir } = readConfig(settings);
  const store = await openPictureStore({ s3, dataDir });
  const whyAway = await checkPictureStore(store);
  if (whyAway !== undefined) throw new Error(`the storage cannot be reached: ${whyAway}`);
  return store;
}

/** The second process, on the same database with another DATA_DIR. */
async function openSecond(
  { shop, provider }: Market,
  home: string,
  databaseUrl: string | undefined,
  settings: Record<string, string>,
): Promise<Shop> {
  const { host = '', port = 0 } = findOwnDatabase(shop.dataDir)?.config ?? {};
  const url = databaseUrl === undefined ? `postgres://shop@${encodeURIComponent(host)}:${port}/shop` : undefined;
  const { connectionString: DATABASE_URL = url ?? '' } = shop.database();
  const second = await createShop(home, undefined);
  await second.start(provider, { LOG_LEVEL: 'warn', DEMO_CATALOG: 'off', ...settings, DATABASE_URL });
  return second;
}

const tokens = new Map<string, string>();

async function tokenOf(url: string): Promise<string> {
  const known = tokens.get(url);
  if (known !== undefined) return known;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(owner) });
  const { data } = (await answer.json()) as { data?: { authResponse: { jwt: string } } };
  if (!data) throw new Error(`the owner's login was answered ${answer.status}`);
  tokens.set(url, data.authResponse.jwt);
  return data.authResponse.jwt;
}

async function upload({ url }: Shop, id: string): Promise<number> {
  const side = 700;
  const file = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .jpeg()
    .toBuffer();
  const { headers, body } = fileForm(file);
  const answer = await fetch(`${url}/api/admin/products/${id}/picture`, {
    method: 'PUT',
    headers: { ...headers, authorization: `Bearer ${await tokenOf(url)}` },
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(30_000),
  });
  await answer.arrayBuffer();
  if (answer.status === 401) tokens.delete(url); // a token lives a quarter of an hour
  return answer.status;
}

async function untilTaken(shop: Shop, id: string, answers: Record<string, number>): Promise<void> {
  for (const began = Date.now(); ; await pause(200)) {
    const status = await upload(shop, id).catch(() => 0);
    answers[status || 'cut'] = (answers[status || 'cut'] ?? 0) + 1;
    if (status === 202) return;
    if (Date.now() - began > backWithinMs) throw new Error(`an upload is still answered ${status}`);
  }
}

async function untilMade({ pool }: Market, totals: S3Totals): Promise<void> {
  for (const began = Date.now(); ; await pause(500)) {
    const { rows } = await pool.query<{ state: string; count: number }>(
      'select state, count(*)::int as count from picture_uploads group by state',
    );
    const failed = rows.find(({ state }) => state === 'failed');
    if (failed) totals.wrong.push(`${failed.count} uploads failed`);
    if (failed || !rows.some(({ state }) => state === 'processing')) return;
    if (Date.now() - began > madeWithinMs) return void totals.wrong.push('not all pictures were made');
  }
}

const hashesOf = async ({ pool }: Market): Promise<string[]> => {
  const { rows } = await pool.query<{ hash: string }>(
    `select distinct picture_hash as hash from products where length(picture_hash) = 32`,
  );
  return rows.map(({ hash }) => hash);
};

async function compare(market: Market, shops: readonly Shop[], store: PictureStore, totals: S3Totals): Promise<void> {
  const hashes = await hashesOf(market);
  totals.pictures = hashes.length;
  if (hashes.length < totals.uploads) totals.wrong.push(`${hashes.length} pictures of ${totals.uploads} uploads`);
  for (const { name, type } of hashes.flatMap(filesOf)) {
    const kept = await store.read('pictures', name);
    for (const { url } of shops) {
      const answer = await fetch(`${url}/pictures/${name}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const { headers } = answer;
      const isRight =
        answer.status === 200 &&
        headers.get('content-type') === `image/${type}` &&
        headers.get('cache-control') === 'public, max-age=31536000, immutable' &&
        kept?.equals(bytes);
      if (!isRight) totals.wrong.push(`/pictures/${name} was answered ${answer.status}, or is not what the bucket has`);
    }
    totals.files++;
  }
  const waiting = await store.list('uploads');
  if (waiting.length > 0) totals.wrong.push(`${waiting.length} uploads are left in the bucket`);
  for (const { url } of shops) {
    const missing = await fetch(`${url}/pictures/${'0'.repeat(32)}-160.webp`);
    if (missing.status !== 404) totals.wrong.push(`a picture that is not there was answered ${missing.status}`);
  }
}

/** Restarts the second process first, so that it has no picture in memory. */
async function fallSilent(market: Market, second: Shop, wire: Wire, totals: S3Totals): Promise<string> {
  await second.kill('stop');
  const id = market.products[0]?.id ?? '';
  const [hash = ''] = await hashesOf(market);
  const timed = async (what: string, ask: () => Promise<number>) => {
    const began = Date.now();
    const status = await ask();
    if (status !== 503) totals.wrong.push(`${what} was answered ${status} while the storage was silent`);
    return `${what} ${status} after ${((Date.now() - began) / 1000).toFixed(1)} s`;
  };
  const picture = async () => (await fetch(`${second.url}/pictures/${hash}-640.webp`)).status;
  wire.fallSilent();
  const said = await Promise.all([timed('an upload', () => upload(second, id)), timed('a picture', picture)]);
  const { status } = await fetch(`${second.url}/api/public/products`);
  if (status !== 200) totals.wrong.push(`the catalog was answered ${status} while the storage was silent`);
  wire.speakAgain();
  for (const began = Date.now(); (await picture()) !== 200; await pause(100))
    if (Date.now() - began > backWithinMs) throw new Error('pictures did not come back');
  if ((await upload(second, id)) !== 202) totals.wrong.push('after it an upload was not taken');
  await untilMade(market, totals);
  return said.join(', ');
}

/** Uses the commands of an operator. @returns how many files of pictures the restored shop has */
async function backUpAndRestore(
  { shop }: Market,
  home: string,
  settings: Record<string, string>,
  elsewhere: Record<string, string>,
  totals: S3Totals,
): Promise<number> {
  const folder = path.join(home, 'backup');
  const dataDir = path.join(home, 'restored');
  const { connectionString: DATABASE_URL = '' } = shop.database();
  const run = (command: string, env: Record<string, string>) =>
    promisify(execFile)(process.execPath, ['dist/server/backup.js', command, folder], {
      env: { ...process.env, ...env },
    });
  await run('backup', { ...settings, DATA_DIR: shop.dataDir, DATABASE_URL });
  const refused = await run('restore', { ...settings, DATA_DIR: dataDir, DATABASE_URL: '' }).catch(
    ({ stderr }: { stderr: string }) => stderr,
  );
  if (typeof refused !== 'string' || !refused.startsWith('S3_URL: .* already exist there'))
    totals.wrong.push('a bucket with pictures in it was restored into');
  await run('restore', { ...elsewhere, DATA_DIR: dataDir, DATABASE_URL: '' });
  return (await (await openStore(elsewhere)).list('pictures')).length;
}

async function compareStores(one: PictureStore, other: PictureStore, totals: S3Totals): Promise<void> {
  const names = await one.list('pictures');
  for (const name of names) {
    const [bytes, restored] = [await one.read('pictures', name), await other.read('pictures', name)];
    if (!bytes || !restored?.equals(bytes)) totals.wrong.push(`${name} was restored otherwise than it was`);
  }
  if ((await other.list('pictures')).length !== names.length) totals.wrong.push('more was restored than there was');
}

async function removeAll(store: PictureStore): Promise<void> {
  for (const folder of ['pictures', 'uploads'] as const)
    for (const name of await store.list(folder)) await store.remove(folder, name);
}
