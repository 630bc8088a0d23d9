/**
 * A whole shop for tests: the real app on a real database, with the real test provider beside it. Only the clock is
 * injected. Every response is checked against the contract.
 * The files of a worker share one shop, `openShop()`: each test creates its own customers, products and orders, and
 * asserts only about those. A file opens its own with `openOwnShop()` when it moves the clock, changes settings that
 * apply to all orders, runs jobs, configures the shop, or asserts about everything in it.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import { buildApp } from '../../src/server/process/app';
import type { S3Config } from '../../src/server/core/config';
import { unusableHash } from '../../src/server/auth/factors/passwords';
import { openSecrets, type Secrets } from '../../src/server/auth/core/secrets';
import { openSessions, type Sessions } from '../../src/server/auth/sessions/sessions';
import { startClock, type Clock } from '../../src/server/core/clock';
import { openPool, requestLimits } from '../../src/server/db/open';
import { openChangeBus, type ChangeBus } from '../../src/server/db/core/changeBus';
import type { Replica } from '../../src/server/db/replica';
import { carts, categories, products, users, type UserRole } from '../../src/server/db/schema/tables';
import { connect, transact, type Db } from '../../src/server/db/core/transact';
import { jobsOf } from '../../src/server/jobs/jobs';
import { withEmailTemplates } from '../../src/server/process/emailTemplates';
import { openMailer, type MailerOptions } from '../../src/server/mail/mailer';
import { findMailServer } from '../../src/server/mail/mailServer';
import { openMetrics } from '../../src/server/metrics/metrics';
import { openPayments } from '../../src/server/payments/provider';
import type { Web } from '../../src/server/pictures/photoDownload';
import { openPictureStore } from '../../src/server/pictures/store';
import { followBrand } from '../../src/server/settings/brand';
import { adjustStock } from '../../src/server/stock/service';
import { categoryTitle } from '../../src/shared/catalog';
import { caller, callerAt, type Person } from './caller';
import { onServer, withDatabase } from './globalSetup';
import { control, type ProviderKeys, startProvider } from './provider';
import { countStatementsOf } from './statements';

export type { Answer, CallOptions, Person } from './caller';

export const publicUrl = new URL('http://localhost:3000');
const mailFrom = 'shop@example.com';

export type TestShop = Awaited<ReturnType<typeof openOwnShop>>;
export type Process = { app: FastifyInstance; sessions: Sessions; bus: ChangeBus; close: () => Promise<void> };

export type NewShop = {
  /** The folder of the built app (builtApp.ts), for tests of pages. */
  webFolder?: string | undefined;
  publishableKey?: string;
  /** A test-mode key of the real provider; without it the test provider is used. */
  stripeKey?: string;
  /** Serves metrics, as METRICS_PORT does. */
  isMeasured?: boolean;
  /**
   * Connects to the database through a proxy (wire.ts), with the time limits of requests; without it there are none.
   */
  reach?: (direct: ClientConfig) => ClientConfig;
  /** Where pictures are stored (s3.ts); without it in the shop's folder. */
  s3?: S3Config;
  replica?: Replica;
  /** Where the photos of imports are loaded from (photoServer.ts); without it the public web. */
  web?: Web;
  /** Which certificates the mailer trusts, and how long it waits. */
  mails?: Pick<MailerOptions, 'ca' | 'limits'>;
  /** Offset of the provider's clock from the shop's, in milliseconds. */
  providerIsAheadMs?: () => number;
};

let shared: Promise<TestShop> | undefined;
let files = 0;

/**
 * The shop that a worker's test files share. It stays open; tests/support/sharedBooks.test.ts checks its books after
 * all files. Each file calls it from its own network address, since some limits count calls per address.
 */
export async function openShop(): Promise<TestShop> {
  const shop = await (shared ??= openSharedShop());
  const remoteAddress = `10.${(files >> 16) & 255}.${(files >> 8) & 255}.${files++ & 255}`;
  const app = from(remoteAddress, shop.app);
  return { ...shop, app, call: caller(app), close: async () => undefined };
}

async function openSharedShop(): Promise<TestShop> {
  const shop = await openOwnShop();
  const { database } = shop;
  const kept: SharedShop = { database, sandbox: path.join(shop.dataDir, 'sandbox'), keys: shop.sandboxKeys };
  await writeFile(path.join(inject('database').folder, `${database}.json`), JSON.stringify(kept));
  return shop;
}

/** What tests/support/sharedBooks.test.ts needs to know of a shared shop. */
export type SharedShop = { database: string; sandbox: string; keys: ProviderKeys };

/** The app, called from that network address unless a call sets another. */
function from(remoteAddress: string, app: FastifyInstance): FastifyInstance {
  const inject = (call: string | object) =>
    app.inject({ remoteAddress, ...(typeof call === 'string' ? { url: call } : call) });
  return Object.create(app, { inject: { value: inject } }) as FastifyInstance;
}

/** A shop for one test file, which must close it. */
export async function openOwnShop(options: NewShop = {}) {
  const { webFolder, publishableKey, stripeKey, isMeasured = false, reach, s3, replica } = options;
  const { providerIsAheadMs = () => 0, web, mails } = options;
  const { config, template, folder } = inject('database');
  const database = `${template}_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  await onServer(config, `create database ${database} template ${template} strategy wal_log`);
  const direct = withDatabase(config, database);
  const pool = openPool(reach ? { ...reach(direct), ...requestLimits } : pooled(direct, database));
  const jobsPool = process.env['TEST_POOL_URL'] ? openPool(direct) : pool;
  countStatementsOf(pool);
  const bus = await openChangeBus(direct);
  const keepsStatements = !process.env['TEST_POOL_URL'];
  const db = connect(pool, { tell: bus.tell, keepsStatements });
  const clock = await startClock(pool);
  const dataDir = await mkdtemp(path.join(folder, 'shop-'));
  const keys = {
    secretKey: `sk_test_${randomUUID().replaceAll('-', '')}`,
    webhookSecret: `whsec_${randomUUID().replaceAll('-', '')}`,
  };
  const sandbox = await startProvider({
    keys,
    folder: path.join(dataDir, 'sandbox'),
    now: () => new Date(clock.now().getTime() + providerIsAheadMs()),
  });
  const provider = stripeKey ? { secretKey: stripeKey } : { apiUrl: new URL(sandbox.url) };
  const payments = openPayments({ ...keys, publishableKey, ...provider, publicUrl });
  const logLines: string[] = [];
  const logger = pino({ level: 'info', base: null }, { write: (line: string) => void logLines.push(line) });
  const secrets = await openSecrets({ db, config: { sessionSecret: undefined, dataDir } });
  const findSaved = () => findMailServer(db, secrets.mailKeys);
  const mailer = openMailer({
    smtpUrl: undefined,
    from: mailFrom,
    folder: path.join(dataDir, 'mails'),
    findSaved,
    ...mails,
  });
  const pictureStore = await openPictureStore({ dataDir, s3 });
  const mail = withEmailTemplates({ db, clock, publicUrl, secrets, mailer, pictureStore });
  await followBrand({ db, bus, pictureStore }, ({ settings: { shopName }, logo }) =>
    sandbox.showShop({ shopName, logo }),
  );
  const parts = { db, clock, payments, mail, pictureStore, logger, backups: { direct, dataDir } };
  const metrics = isMeasured ? openMetrics({ pool, db, clock }) : undefined;

  const openOn = async (bus: ChangeBus, db: Db, secrets: Secrets): Promise<Process> => {
    const sessions = openSessions({ db, bus, clock, secrets });
    const app = await buildApp({
      ...parts,
      db,
      replica,
      metrics,
      config: { publicUrl, dataDir, trustProxy: [], serviceWorker: true },
      bus,
      sessions,
      secrets,
      webFolder,
    });
    return { app, sessions, bus, close: () => app.close().then(bus.close) };
  };
  /** Another process of the shop: it learns of the first one's changes only through the database. */
  const openProcess = async (itsSecrets = secrets) => {
    const its = await openChangeBus(direct);
    return openOn(its, connect(pool, { tell: its.tell, keepsStatements }), itsSecrets);
  };
  const main = await openOn(bus, db, secrets);
  const marks = createMarks(bus, (mark) => pool.query(`select pg_notify('live', $1)`, [mark]));
  await main.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = main.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  sandbox.setWebhookUrl(`${url}/api/payments/webhook`);

  const call = caller(main.app);
  return {
    ...main,
    openProcess,
    metrics,
    callerOf: caller,
    callerAt,
    /** Calls from another network address. */
    callFrom: (remoteAddress: string) => caller(from(remoteAddress, main.app)),
    /** Waits until this process has received all notifications so far; they arrive in order. */
    untilTold: () => marks.hear(),
    pool,
    /** For jobs, which use prepared statements and so cannot use PgBouncer. */
    jobsPool,
    db,
    direct,
    database,
    clock,
    secrets,
    payments,
    mail,
    pictureStore,
    backups: parts.backups,
    sandbox,
    sandboxKeys: keys,
    url,
    dataDir,
    logLines,
    jobs: jobsOf({ ...parts, web }),
    call,
    /** The same user with a new access token, since a token lives 15 minutes. */
    again: (person: Person) => startSession(db, main.sessions, clock, person),
    signIn: (person: NewPerson = {}) => signIn(db, main.sessions, clock, person),
    category: (category: NewCategory = {}) => addCategory(db, clock, category),
    stock: (product: NewProduct = {}) => addProduct(db, clock, product),
    control: (action: string, body?: object) => control(sandbox, action, body),
    async close() {
      await main.close();
      await sandbox.close();
      clock.stop();
      await pool.end();
      if (jobsPool !== pool) await jobsPool.end();
      await onServer(config, `drop database if exists ${database} with (force)`);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A message that names no change: all other listeners ignore it. */
function createMarks({ on }: ChangeBus, tell: (mark: string) => Promise<unknown>) {
  const awaited = new Map<string, () => void>();
  on('live', (mark) => awaited.get(mark)?.());
  return {
    async hear(): Promise<void> {
      const mark = randomUUID();
      const heard = new Promise<void>((resolve) => awaited.set(mark, resolve));
      await tell(mark);
      await heard;
      awaited.delete(mark);
    },
  };
}

/** Through the PgBouncer at TEST_POOL_URL, if one is set in front of TEST_DATABASE_URL. */
function pooled(direct: ClientConfig, database: string): ClientConfig {
  const url = process.env['TEST_POOL_URL'];
  return url ? withDatabase({ connectionString: url }, database) : direct;
}

export type NewPerson = {
  role?: UserRole;
  email?: string;
  fullName?: string;
  passwordHash?: string;
  isEnabled?: boolean;
  /** Default true. */
  isEmailProven?: boolean;
};

/** A new user with an account, a cart and a session. */
async function signIn(db: Db, sessions: Sessions, clock: Clock, person: NewPerson): Promise<Person> {
  const userId = randomUUID();
  const cartId = randomUUID();
  const email = person.email ?? `${userId}@example.com`;
  const role = person.role ?? 'ROLE_CUSTOMER';
  const now = clock.now();
  const { accessToken } = await transact(db, async (tx) => {
    await tx.insert(users).values({
      id: userId,
      email,
      emailKey: email.toLowerCase(),
      fullName: person.fullName ?? 'Example Customer',
      role,
      isEnabled: person.isEnabled ?? true,
      passwordHash: person.passwordHash ?? unusableHash,
      emailProvenAt: (person.isEmailProven ?? true) ? now : null,
      createdAt: now,
    });
    await tx.insert(carts).values({ id: cartId, userId, createdAt: now });
    return sessions.start(tx, { userId, role, rememberMe: true, now });
  });
  return { userId, cartId, email, role, token: accessToken };
}

async function startSession(
  db: Db,
  sessions: Sessions,
  clock: Clock,
  { userId, role, ...person }: Person,
): Promise<Person> {
  const now = clock.now();
  const { accessToken } = await transact(db, (tx) => sessions.start(tx, { userId, role, rememberMe: true, now }));
  return { ...person, userId, role, token: accessToken };
}

export type NewCategory = { name?: string; title?: string };

/** @returns its title as displayed, whether or not it has one */
async function addCategory(db: Db, clock: Clock, category: NewCategory) {
  const id = randomUUID();
  const name = category.name ?? `category-${id.slice(0, 8)}`;
  await db
    .insert(categories)
    .values({ id, name, title: category.title ?? null, description: 'A category', createdAt: clock.now() });
  return { id, name, title: categoryTitle({ name, title: category.title }) };
}

export type NewProduct = Partial<typeof products.$inferInsert> & { quantity?: number };

/** A buyable product: $4.50, ten units, in its own category unless one is named. */
async function addProduct(db: Db, clock: Clock, { quantity = 10, ...product }: NewProduct) {
  const id = product.id ?? randomUUID();
  const now = clock.now();
  const categoryId = product.categoryId ?? (await addCategory(db, clock, {})).id;
  const row = {
    name: 'Black pepper',
    description: 'Whole berries.',
    priceCents: 450,
    availability: true,
    createdAt: now,
    ...product,
  };
  await transact(db, async (tx) => {
    await tx.insert(products).values({ ...row, id, categoryId, quantity: 0 });
    await adjustStock(tx, { productId: id, units: quantity, reason: 'Starting stock', byUserId: null, now });
  });
  return { ...row, id, categoryId, quantity };
}
