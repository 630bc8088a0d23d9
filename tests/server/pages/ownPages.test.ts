import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** The owner's own texts. Rule: docs/rules/pages.md, Editing */
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.pool.query('delete from pages');
  await shop.pool.query("select pg_notify('settings', 'pages')");
  await shop.untilTold();
});

const returns = {
  slug: 'shipping-returns',
  title: 'Shipping & Returns',
  markdown: 'We pack on **weekdays**.\n\n## Returns\n\nWrite to <hello@example.com>.',
  isPublished: true,
};
const create = (body: object = returns) => shop.call('createPage', { as: admin, body });
const created = async (body: object = returns) => (await create(body)).data.page;
const update = (id: string, body: object) => shop.call('updatePage', { as: admin, path: { id }, body });
const remove = (id: string) => shop.call('deletePage', { as: admin, path: { id } });
const list = async () => (await shop.call('listStaffPages', { as: admin, query: { size: 100 } })).data.pages.content;
const titles = async () => (await list()).map(({ title }) => title);
const read = (slug: string) => shop.call('getPage', { path: { slug } });
const footer = async () => (await shop.call('getShop')).data.shop.pages;
const audit = async (id: string) =>
  (await shop.pool.query('select action, before, after from audit_log where target_id = $1 order by id', [id])).rows;

describe('a page', () => {
  test('is read by everyone as HTML once it is published', async () => {
    const answer = await create();
    expect(answer).toMatchObject({ status: 201, message: 'Page added' });
    expect(answer.data.page).toMatchObject({ ...returns, position: 0, version: 1 });
    expect((await read('shipping-returns')).data.page).toEqual({
      slug: 'shipping-returns',
      title: 'Shipping & Returns',
      html: '<p>We pack on <strong>weekdays</strong>.</p>\n<h2>Returns</h2>\n<p>Write to <a href="mailto:hello@example.com">hello@example.com</a>.</p>\n',
      changedAt: answer.data.page.changedAt,
    });
    expect(await footer()).toEqual([{ slug: 'shipping-returns', title: 'Shipping & Returns' }]);
  });

  test('is hidden while it is a draft', async () => {
    const { id } = await created({ ...returns, isPublished: false });
    expect(await read('shipping-returns')).toMatchObject({ status: 404, code: 'page_not_found' });
    expect(await footer()).toEqual([]);
    expect((await shop.call('listPages')).data.pages.content).toEqual([]);
    await update(id, returns);
    expect((await read('shipping-returns')).status).toBe(200);
    await update(id, { ...returns, isPublished: false });
    expect((await read('shipping-returns')).status).toBe(404);
    expect(await footer()).toEqual([]);
  });

  test('can’t be published with blanks', async () => {
    const markdown =
      'Write to [your email] within [your number] days. [Your email] again, and [your orders](/customer/orders).';
    const refused = await create({ ...returns, markdown });
    const message = 'Fill in [your email], [your number] and [Your email] before you publish';
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ field: 'markdown', message }] });
    expect((await create({ ...returns, markdown, isPublished: false })).status).toBe(201);
    const many = { ...returns, slug: 'many', markdown: '[your a] [your b] [your c] [your d] [your e]' };
    expect((await create(many)).message).toBe('Fill in [your a], [your b], [your c] and 2 more before you publish');
  });

  test.each([
    [{ title: ' ' }, 'title', 'Enter a title'],
    [{ markdown: '' }, 'markdown', 'Enter a text'],
    [{ slug: 'Shipping' }, 'slug', 'Use lowercase letters and numbers, with single hyphens between them'],
    [{ slug: '../login' }, 'slug', 'Use lowercase letters and numbers, with single hyphens between them'],
    [{ markdown: 'a'.repeat(40_001) }, 'markdown', 'Use 40000 characters or fewer'],
    [{ markdown: 'Card 4242 4242 4242 4242' }, 'markdown', "Don't enter a card number here"],
  ])('with %o is refused', async (fields, field, message) => {
    expect(await create({ ...returns, ...fields })).toMatchObject({ status: 400, errors: [{ field, message }] });
  });

  test('has its address alone', async () => {
    await create();
    const message = "There's already a page at this address";
    expect(await create()).toMatchObject({ status: 409, code: 'slug_taken', errors: [{ field: 'slug', message }] });
    const { id } = await created({ ...returns, slug: 'terms' });
    expect(await update(id, returns)).toMatchObject({ status: 409, code: 'slug_taken' });
  });

  test('is listed where it was put, and the others keep their order', async () => {
    const pages = [];
    for (const title of ['One', 'Two', 'Three'])
      pages.push(await created({ ...returns, slug: title.toLowerCase(), title }));
    const [one, , three] = pages;
    const before = await list();
    await update(three?.id ?? '', { ...returns, slug: 'three', title: 'Three', position: 0 });
    expect(await titles()).toEqual(['Three', 'One', 'Two']);
    expect((await footer())?.map(({ title }) => title)).toEqual(['Three', 'One', 'Two']);
    await update(one?.id ?? '', { ...returns, slug: 'one', title: 'One', position: 99 });
    expect(await titles()).toEqual(['Three', 'Two', 'One']);
    expect((await list()).map(({ position }) => position)).toEqual([0, 1, 2]);
    // moving a page doesn't change it
    expect((await list()).map(({ changedAt }) => changedAt).toSorted()).toEqual(
      before.map(({ changedAt }) => changedAt).toSorted(),
    );
  });

  test('is deleted, and returns to its place unchanged', async () => {
    const page = await created();
    await create({ ...returns, slug: 'terms', title: 'Terms' });
    const deleted = await remove(page.id);
    expect(deleted).toMatchObject({ message: 'Page deleted', data: { page } });
    expect(await titles()).toEqual(['Terms']);
    expect((await read('shipping-returns')).status).toBe(404);
    expect(await remove(page.id)).toMatchObject({ status: 404, code: 'page_not_found' });
    expect(await shop.call('getStaffPage', { as: admin, path: { id: page.id } })).toMatchObject({ status: 404 });
    expect((await update(page.id, { ...returns, position: 0 })).status).toBe(200);
    expect(await titles()).toEqual(['Shipping & Returns', 'Terms']);
    expect((await read('shipping-returns')).status).toBe(200);
  });

  test('gives its address to another while it is deleted', async () => {
    const { id } = await created();
    await remove(id);
    expect((await create()).status).toBe(201);
    expect(await update(id, returns)).toMatchObject({ status: 409, code: 'slug_taken' });
  });
});

describe('two editors', () => {
  test('the second is told what the first changed', async () => {
    const { id, version } = await created();
    await update(id, { ...returns, markdown: 'New text.', version });
    const refused = await update(id, { ...returns, title: 'Delivery', version });
    const message = 'This page was changed after you opened it';
    expect(refused).toMatchObject({ status: 409, code: 'page_changed', message });
    expect(refused.errors).toEqual([
      { field: 'title', message, current: 'Shipping & Returns' },
      { field: 'markdown', message, current: 'New text.' },
    ]);
    expect((await update(id, { ...returns, title: 'Delivery', version: version + 1 })).status).toBe(200);
  });

  test('a page that was only moved is not changed', async () => {
    const { id, version } = await created();
    await create({ ...returns, slug: 'terms' });
    await update(id, { ...returns, position: 1 });
    expect((await update(id, { ...returns, title: 'Delivery', version })).status).toBe(200);
    expect((await list()).map(({ slug }) => slug)).toEqual(['terms', 'shipping-returns']);
  });
});

test('each change of a page is in the audit log, with the whole text', async () => {
  const { id } = await created();
  await update(id, { ...returns, markdown: 'New text.' });
  await update(id, { ...returns, markdown: 'New text.' });
  await remove(id);
  const { slug, title, isPublished } = returns;
  expect(await audit(id)).toEqual([
    { action: 'page.created', before: null, after: { ...returns, position: 0, isArchived: false } },
    { action: 'page.changed', before: { markdown: returns.markdown }, after: { markdown: 'New text.' } },
    {
      action: 'page.deleted',
      before: { slug, title, isPublished, markdown: 'New text.', position: 0, isArchived: false },
      after: null,
    },
  ]);
  const listed = await shop.call('listAudit', { as: admin, query: { size: 1 } });
  expect(JSON.stringify(listed.data)).toContain('Shipping & Returns');
});

test('a preview shows the text as the shop will', async () => {
  const answer = await shop.call('previewPage', { as: admin, body: { markdown: '# Hello\n\n<b>you</b>' } });
  expect(answer.data.html).toBe('<h2>Hello</h2>\n<p>&lt;b&gt;you&lt;/b&gt;</p>\n');
  const customer = await shop.signIn();
  expect((await shop.call('previewPage', { as: customer, body: { markdown: 'a' } })).status).toBe(403);
});

describe('the change feed', () => {
  const changesSince = async (since: number) =>
    (await shop.call('getCatalogChanges', { query: { since } })).data.changes;
  const position = async () => (await changesSince(0)).next;

  test('names all published pages, and moves on when one is changed, hidden, or deleted', async () => {
    const start = await position();
    const { id, changedAt } = await created();
    const added = await changesSince(start);
    expect(added.pages).toEqual([{ slug: 'shipping-returns', changedAt }]);
    expect(added.next).toBeGreaterThan(start);
    shop.clock.advance(1000);
    const changed = (await update(id, { ...returns, markdown: 'New text.' })).data.page;
    const next = await changesSince(added.next);
    expect(next.pages).toEqual([{ slug: 'shipping-returns', changedAt: changed.changedAt }]);
    expect(changed.changedAt).not.toBe(changedAt);
    expect(next.next).toBeGreaterThan(added.next);
    await update(id, { ...returns, isPublished: false });
    const hidden = await changesSince(next.next);
    expect(hidden.pages).toEqual([]);
    expect(hidden.next).toBeGreaterThan(next.next);
  });

  test('does not move for a draft, or when pages are only moved', async () => {
    await created();
    const start = await position();
    const { id } = await created({ ...returns, slug: randomUUID(), isPublished: false });
    await update(id, { ...returns, slug: 'draft', isPublished: false, position: 0 });
    await remove(id);
    expect(await position()).toBe(start);
  });
});

test('a published page is in the footer and at its address in every process immediately', async () => {
  const second = await shop.openProcess();
  const call = shop.callerOf(second.app);
  const shown = async () => (await call('getShop')).data.shop.pages;
  expect(await shown()).toEqual([]);
  const { id } = await created();
  await expect.poll(shown).toHaveLength(1);
  expect((await call('getPage', { path: { slug: returns.slug } })).status).toBe(200);
  await remove(id);
  await expect.poll(shown).toEqual([]);
  await expect.poll(async () => (await call('getPage', { path: { slug: returns.slug } })).status).toBe(404);
  await second.close();
});
