import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StepName } from '../../../src/shared/goLive';
import { defaultSettings } from '../../../src/shared/settings';
import { seedDemoCatalog } from '../../../src/server/db/seed/demoCatalog';
import { noteFailing } from '../../../src/server/mail/serverState';
import { transact } from '../../../src/server/db/core/transact';
import { findFacts } from '../../../src/server/goLive/facts';
import { stepsOf } from '../../../src/server/goLive/steps';
import { paidOrder } from '../../support/buying';
import { fileForm, jpeg } from '../../support/pictures';
import { collectTax, offerDelivery } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
beforeEach(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterEach(() => shop.close());

const stepOf = async (name: StepName) => {
  const { steps } = (await shop.call('getGoLive', { as: owner })).data;
  const { state, sentence } = steps.find(({ step }) => step === name) ?? {};
  return { state, sentence };
};

test('a new shop has every step open, and a way to each', async () => {
  const { steps } = (await shop.call('getGoLive', { as: owner })).data;
  expect(steps.filter(({ state }) => state === 'done')).toEqual([]);
  for (const { href, sentence } of steps) {
    expect(href).toMatch(/^\//);
    expect(sentence).toMatch(/\.$|^Customers still see/);
  }
});

test('own contact info and an own name or logo are done', async () => {
  expect(await stepOf('contact')).toEqual({
    state: 'open',
    sentence: 'Customers still see the sample contact info: hello@example.com, (555) 010-0142',
  });
  const body = { ...defaultSettings, contactEmail: 'hello@kerr.test', contactPhone: '', shopName: 'Kerr Spices' };
  await shop.call('updateSettings', { as: owner, body });
  expect(await stepOf('contact')).toEqual({ state: 'done', sentence: 'hello@kerr.test' });
  expect(await stepOf('brand')).toEqual({ state: 'done', sentence: 'Kerr Spices' });
  await shop.call('updateSettings', { as: owner, body: defaultSettings });
  expect(await stepOf('brand')).toMatchObject({ state: 'open' });
  await shop.call('setLogo', { as: owner, ...fileForm(await jpeg(200, 100)) });
  expect(await stepOf('brand')).toEqual({ state: 'done', sentence: 'The shop has your logo.' });
});

test('products are done once the samples are edited or gone, and something is left to sell', async () => {
  expect(await stepOf('products')).toEqual({ state: 'open', sentence: 'The shop has no products yet.' });
  await transact(shop.db, (tx) => seedDemoCatalog(tx, { now: shop.clock.now() }));
  const all = await shop.pool.query<{ id: string }>('select id from products where availability');
  expect((await stepOf('products')).sentence).toBe(
    `${all.rows.length} sample products are still in the shop. Edit or delete them.`,
  );
  const [first, ...others] = all.rows.map(({ id }) => id);
  await shop.call('archiveProduct', { as: owner, path: { id: first ?? '' } });
  await shop.pool.query('update products set name = name || $1 where id = any($2)', [' by Kerr', others]);
  expect(await stepOf('products')).toEqual({ state: 'done', sentence: `${others.length} products` });
});

test('delivery and sales tax are done with the first method and rate', async () => {
  expect(await stepOf('delivery')).toMatchObject({ state: 'open' });
  await offerDelivery(shop);
  expect(await stepOf('delivery')).toEqual({ state: 'done', sentence: '1 delivery method' });
  await collectTax(shop, 'GA', 40_000);
  await collectTax(shop, 'OH', 57_500);
  expect(await stepOf('tax')).toEqual({ state: 'done', sentence: 'Collecting in 2 states' });
});

test('sales tax is done when the owner says that the shop collects none, until that is taken back', async () => {
  const set = (collectsNoTax: boolean) =>
    shop.call('updateSettings', { as: owner, body: { ...defaultSettings, collectsNoTax } });
  expect(await stepOf('tax')).toMatchObject({ state: 'open' });
  await set(true);
  expect(await stepOf('tax')).toEqual({ state: 'done', sentence: "You don't collect sales tax." });
  await set(false);
  expect(await stepOf('tax')).toMatchObject({ state: 'open' });
});

test('policies are done once three pages are published', async () => {
  const create = (slug: string, isPublished = true) =>
    shop.call('createPage', { as: owner, body: { slug, title: slug, markdown: 'Be kind.', isPublished } });
  await create('faq', false);
  expect(await stepOf('policies')).toEqual({
    state: 'open',
    sentence: '0 of 3 pages published. Customers look for shipping, privacy, and terms.',
  });
  for (const slug of ['shipping', 'privacy']) await create(slug);
  expect(await stepOf('policies')).toMatchObject({ state: 'open' });
  const { id } = (await create('terms')).data.page;
  expect(await stepOf('policies')).toEqual({ state: 'done', sentence: '3 published pages' });
  await shop.call('deletePage', { as: owner, path: { id } });
  expect(await stepOf('policies')).toMatchObject({ state: 'open' });
});

test('the test order is done when it is paid', async () => {
  expect(await stepOf('testOrder')).toEqual({ state: 'open', sentence: 'Buy something yourself and pay for it.' });
  await paidOrder(shop);
  expect(await stepOf('testOrder')).toEqual({ state: 'done', sentence: 'An order was paid.' });
  expect(await stepOf('payments')).toEqual({
    state: 'open',
    sentence: 'Still in test mode. No real money moves.',
  });
});

test('live payments are done once the provider told about one, and the address once it has https', () => {
  const { secondFactorOfStaff: _, ...settings } = defaultSettings;
  const facts = {
    settings,
    hasLogo: false,
    products: 1,
    samples: 0,
    methods: 1,
    taxedStates: 1,
    publishedPages: 3,
    wasPaid: true,
    mailServer: { state: 'working', failure: null } as const,
    publicUrl: new URL('https://spices.test'),
    isLive: true,
    isKeyRejected: false,
    wasTold: false,
    backup: { isOn: true, lastGoodAt: new Date(), isOverdue: false },
    now: new Date(),
  };
  const states = (changed: Partial<typeof facts>) =>
    Object.fromEntries(stepsOf({ ...facts, ...changed }).map(({ step, state }) => [step, state]));
  expect(states({})).toMatchObject({ payments: 'open', address: 'done', mail: 'done' });
  expect(states({ wasTold: true })).toMatchObject({ payments: 'done' });
  expect(states({ wasTold: true, isKeyRejected: true })).toMatchObject({ payments: 'open' });
  expect(states({ wasTold: true, isLive: false })).toMatchObject({ payments: 'open' });
});

test('a live payment of which a webhook told is found', async () => {
  const { orderId } = await paidOrder(shop);
  expect((await findFacts(shop.db)).wasTold).toBe(false);
  await shop.pool.query("update payment_sessions set session_id = 'cs_live_1' where order_id = $1", [orderId]);
  expect((await findFacts(shop.db)).wasTold).toBe(true);
});

test('a step says in a few words how it is, where its card in Settings can show it', async () => {
  const facts = async () => {
    const { steps } = (await shop.call('getGoLive', { as: owner })).data;
    return Object.fromEntries(steps.flatMap(({ step, fact }) => (fact === undefined ? [] : [[step, fact]])));
  };
  expect(await facts()).toEqual({
    mail: 'Not set up',
    payments: 'Test mode',
    backup: 'No backup yet',
    policies: '0 published',
  });
  await shop.pool.query("insert into settings (name, value) values ('mail_server', '{}')");
  await offerDelivery(shop);
  await collectTax(shop, 'GA', 40_000);
  await shop.call('startBackup', { as: owner });
  await shop.jobs.runBackups();
  expect(await facts()).toEqual({
    mail: 'Working',
    payments: 'Test mode',
    delivery: '1 method',
    tax: 'Collecting in 1 state',
    policies: '0 published',
    backup: 'Last backup just now',
  });
});

test('email is done while the mail server works, and open without one or when it fails', async () => {
  expect(await stepOf('mail')).toMatchObject({ state: 'open' });
  await shop.pool.query("insert into settings (name, value) values ('mail_server', '{}')");
  expect(await stepOf('mail')).toEqual({ state: 'done', sentence: 'Emails are sent.' });
  await noteFailing(shop.db, { reason: 'login', response: '535 5.7.8 Error' }, shop.clock.now());
  expect(await stepOf('mail')).toEqual({
    state: 'open',
    sentence: 'The mail server rejects the username or password.',
  });
});

test('the backup is done once a good one is younger than a day, while backups are on', () => {
  const { secondFactorOfStaff: _, ...settings } = defaultSettings;
  const stateWith = (backup: { isOn: boolean; lastGoodAt: Date | undefined; isOverdue: boolean }) =>
    stepsOf({
      settings,
      hasLogo: false,
      products: 1,
      samples: 0,
      methods: 1,
      taxedStates: 1,
      publishedPages: 3,
      wasPaid: true,
      wasTold: true,
      mailServer: { state: 'working', failure: null },
      publicUrl: new URL('https://spices.test'),
      isLive: true,
      isKeyRejected: false,
      backup,
      now: new Date(),
    }).find(({ step }) => step === 'backup')?.state;
  const lastGoodAt = new Date();
  expect(stateWith({ isOn: true, lastGoodAt, isOverdue: false })).toBe('done');
  expect(stateWith({ isOn: true, lastGoodAt: undefined, isOverdue: false })).toBe('open');
  expect(stateWith({ isOn: true, lastGoodAt, isOverdue: true })).toBe('open');
  expect(stateWith({ isOn: false, lastGoodAt, isOverdue: false })).toBe('open');
});
