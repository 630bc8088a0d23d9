/** The owner's pages in the back office. Rule: docs/rules/pages.md, The list */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { users } from '../../../src/server/db/schema/tables';
import { startingTexts } from '../../../src/shared/pageStartingTexts';
import { blanksIn, pageLimits } from '../../../src/shared/pagesStaff';
import { logIn, openAccount } from '../../support/auth';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { choose, control, fieldCalled, fill, logInAgain, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
});
beforeEach(async () => (admin = await shop.signIn({ role: 'ROLE_ADMIN' })));
afterEach(async () => {
  tab.close();
  await shop.pool.query('delete from pages');
});
afterAll(() => shop.close());

const returns = {
  slug: 'returns',
  title: 'Returns',
  markdown: 'Send it **back**.\n\nWithin 30 days.',
  isPublished: true,
};
const create = async (body: object = returns) => (await shop.call('createPage', { as: admin, body })).data.page;
const byColleague = (id: string, body: object) =>
  shop.call('updatePage', { as: admin, path: { id }, body: { ...returns, ...body } });
const list = async () => (await shop.call('listStaffPages', { as: admin, query: { size: 100 } })).data.pages.content;
const titles = async () => (await list()).map(({ title }) => title);
const read = async (id: string) => (await shop.call('getStaffPage', { as: admin, path: { id } })).data.page;
const valueOf = async (label: string) => (await fieldCalled(label)).value;
const preview = () => document.querySelector('[aria-labelledby=page-preview]');
const isAt = (path: string) => until(() => tab.path() === path);
const mark = (name: string) => [...document.querySelectorAll('label')].find((label) => label.textContent === name);

describe('the list', () => {
  test('offers four texts to start from; a page made from one is a draft until its blanks are filled', async () => {
    tab = openTab(shop, '/admin/pages', { as: admin });
    await see('No pages yet. Start from a text below, or add your own.');
    for (const { title } of startingTexts) await control(`Use text: ${title}`);
    await press('Use text: Privacy');
    await see(/\d+ blanks to fill/);
    expect(await valueOf('Title')).toBe('Privacy');
    await press('Published');
    await see('Fill in [your business name], [your business address], [your payment provider] and 3 more');
    await press('Save');
    expect(await list()).toEqual([]);
    await press('Published');
    await press('Save');
    await see('Page added');
    await isAt('/admin/pages');
    await see(/Privacy\s*\/pages\/privacy\s*Draft/);
    await miss('Use text: Privacy');
    expect(await list()).toMatchObject([{ slug: 'privacy', isPublished: false }]);
  });

  test('publishes a page and takes it back, with Undo, but none with blanks', async () => {
    const { id } = await create({ ...returns, isPublished: false });
    await create({ ...returns, slug: 'terms', title: 'Terms', markdown: 'Write to [your email].', isPublished: false });
    tab = openTab(shop, '/admin/pages', { as: admin });
    await press('More actions for Returns');
    await choose('Publish');
    await see('Returns is published');
    expect(await read(id)).toMatchObject({ isPublished: true, markdown: returns.markdown });
    await press('Undo');
    await see('Returns is no longer published');
    expect(await read(id)).toMatchObject({ isPublished: false });
    await press('More actions for Terms');
    await choose('Publish');
    await see('Fill in [your email] before you publish');
  });

  test('is put in order by the menu, and by the grip with the keyboard', async () => {
    for (const title of ['One', 'Two', 'Three']) await create({ ...returns, slug: title.toLowerCase(), title });
    tab = openTab(shop, '/admin/pages', { as: admin });
    await press('More actions for Three');
    await choose('Move up');
    await expect.poll(titles).toEqual(['One', 'Three', 'Two']);
    const grip = await control('Move One, now position 1');
    const key = (name: string) => grip.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
    key(' ');
    await see('One, position 1 of 3');
    key('ArrowDown');
    key('ArrowDown');
    await see('One, position 3 of 3');
    key(' ');
    await expect.poll(titles).toEqual(['Three', 'Two', 'One']);
    await control('Move One, now position 3');
  });

  test('deletes a page, and Undo brings it back to its place', async () => {
    const { id } = await create();
    await create({ ...returns, slug: 'terms', title: 'Terms' });
    tab = openTab(shop, '/admin/pages', { as: admin });
    await press('More actions for Returns');
    await choose('Delete');
    await see('Page deleted');
    await expect.poll(titles).toEqual(['Terms']);
    await press('Undo');
    await see('Page restored');
    await expect.poll(titles).toEqual(['Returns', 'Terms']);
    expect(await read(id)).toMatchObject(returns);
  });
});

describe('the editor', () => {
  test('makes the address from the title, and shows errors at the fields', async () => {
    await create();
    tab = openTab(shop, '/admin/pages/new', { as: admin });
    await press('Save');
    await see(/Enter a title.*Enter a text/);
    await fill('Title', 'Returns');
    expect(await valueOf('Address')).toBe('returns');
    await fill('Text', 'Send it back.');
    await press('Save');
    await see("There's already a page at this address");
    await until(() => document.activeElement?.getAttribute('aria-invalid') === 'true'); // a toast says it before the field
    await fill('Address', 'How we pack');
    await see('Use lowercase letters and numbers, with single hyphens between them');
    await fill('Address', 'how-we-pack');
    await fill('Title', 'How we pack your order');
    expect(await valueOf('Address')).toBe('how-we-pack');
    await press('Save');
    await see('Page added');
    expect(await list()).toMatchObject([
      {},
      { slug: 'how-we-pack', title: 'How we pack your order', isPublished: false },
    ]);
  });

  test('shows the text as the shop will, with HTML as text', async () => {
    tab = openTab(shop, '/admin/pages/new', { as: admin });
    await fill('Title', 'Returns');
    await fill('Text', '## How\n\nSend it **back**.\n\n<img src=x onerror=alert(1)>');
    await until(() => preview()?.querySelector('strong')?.textContent === 'back');
    expect(preview()?.querySelector('h2 + p')).not.toBeNull();
    expect(preview()?.querySelector('img')).toBeNull();
    expect(preview()?.textContent).toContain('<img src=x onerror=alert(1)>');
  });

  test('leads from one blank to the next', async () => {
    tab = openTab(shop, '/admin/pages/new', { as: admin });
    await fill('Text', 'Call [your number] or write to [your email]. Really, [your number].');
    await see('2 blanks to fill');
    const area = (await fieldCalled('Text')) as unknown as HTMLTextAreaElement;
    area.setSelectionRange(0, 0);
    const selected: string[] = [];
    for (let press_ = 0; press_ < 4; press_ += 1) {
      await press('Next blank');
      expect(document.activeElement).toBe(area);
      selected.push(`${area.selectionStart} ${area.value.slice(area.selectionStart, area.selectionEnd)}`);
    }
    expect(selected).toEqual(['5 [your number]', '31 [your email]', '53 [your number]', '5 [your number]']);
  });

  test('views a published page, and deletes it with Undo', async () => {
    const { id } = await create();
    tab = openTab(shop, `/admin/pages/${id}`, { as: admin });
    expect((await control('View page')).getAttribute('href')).toBe('/pages/returns');
    await press('Delete page');
    await isAt('/admin/pages');
    await see('No pages yet.');
    await press('Undo');
    await see('Page restored');
    expect(await titles()).toEqual(['Returns']);
  });

  test('asks before it is left with changes, and keeps them when the session ends', async () => {
    const account = await openAccount(shop);
    await shop.db.update(users).set({ role: 'ROLE_ADMIN' }).where(eq(users.id, account.id));
    const as = await logIn(shop, account);
    const { id } = await create();
    tab = openTab(shop, `/admin/pages/${id}`, { as });
    await fill('Text', 'Keep it.');
    void tab.go('/admin/pages');
    await see('Leave without saving?');
    await press('Stay');
    await shop.call('logout', { body: {}, headers: { authorization: `Bearer ${as.jwt}` } });
    await press('Save');
    await logInAgain(tab, account, `/admin/pages/${id}`);
    await expect.poll(() => valueOf('Text')).toBe('Keep it.');
    await press('Save');
    await see('Page saved');
    expect(await read(id)).toMatchObject({ markdown: 'Keep it.', isPublished: true });
  });

  test('keeps what is typed while a new page is saved, and saves it to that page', async () => {
    tab = openTab(shop, '/admin/pages/new', { as: admin });
    await fill('Title', 'Returns');
    await fill('Text', 'Send it back.');
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    tab.network.delays = ({ method, url }) => {
      if (method !== 'POST' || !url.endsWith('/admin/pages')) return undefined;
      isHeld = true;
      return held;
    };
    await press('Save');
    await until(() => isHeld);
    await fill('Text', 'Send it back soon.');
    release();
    await see('Page added');
    await expect.poll(list).toMatchObject([{ title: 'Returns' }]);
    expect(await valueOf('Text')).toBe('Send it back soon.');
    await press('Save');
    await see('Page saved');
    await isAt('/admin/pages');
    const [page] = await list();
    expect(await read(page?.id ?? '')).toMatchObject({ title: 'Returns', markdown: 'Send it back soon.' });
  });

  test('a page that is not there says so', async () => {
    tab = openTab(shop, '/admin/pages/11111111-2222-4333-8444-555555555555', { as: admin });
    await see('Page not found');
    await press('Pages');
    await isAt('/admin/pages');
  });
});

describe('a page that a colleague changed meanwhile', () => {
  test('shows both values of what differs; the second editor chooses, and loses nothing', async () => {
    const { id } = await create();
    tab = openTab(shop, `/admin/pages/${id}`, { as: admin });
    await fill('Text', 'Send it **back**.\n\nWithin 60 days.');
    await byColleague(id, { title: 'Sending back', markdown: 'Send it **back**.\n\nWithin 14 days.' });
    await press('Save');
    await see('This page was changed after you opened it');
    await see(/Text\s*Yours\s*…\s*Within 60 days\.\s*In the shop now\s*…\s*Within 14 days\./);
    expect(await read(id)).toMatchObject({ markdown: 'Send it **back**.\n\nWithin 14 days.' });
    await expect.poll(() => valueOf('Title')).toBe('Sending back');
    mark('In the shop now…\nWithin 14 days.')?.click();
    await expect.poll(() => valueOf('Text')).toBe('Send it **back**.\n\nWithin 14 days.');
    mark('Yours…\nWithin 60 days.')?.click();
    await expect.poll(() => valueOf('Text')).toBe('Send it **back**.\n\nWithin 60 days.');
    await press('Save');
    await see('Page saved');
    expect(await read(id)).toMatchObject({
      title: 'Sending back',
      markdown: 'Send it **back**.\n\nWithin 60 days.',
    });
  });

  test('is saved at once if the form has the same values already', async () => {
    const { id } = await create();
    tab = openTab(shop, `/admin/pages/${id}`, { as: admin });
    await fill('Title', 'Sending back');
    await fill('Text', 'Keep it.');
    await byColleague(id, { title: 'Sending back' });
    await press('Save');
    await see('Page saved');
    expect(await read(id)).toMatchObject({ title: 'Sending back', markdown: 'Keep it.' });
  });

  test('or deleted is restored only by a second save', async () => {
    const { id } = await create();
    tab = openTab(shop, `/admin/pages/${id}`, { as: admin });
    await fill('Text', 'Keep it.');
    await shop.call('deletePage', { as: admin, path: { id } });
    await press('Save');
    await see('This page was deleted after you opened it. Save again to restore it.');
    expect(await list()).toEqual([]);
    await press('Save');
    await see('Page saved');
    expect(await read(id)).toMatchObject({ markdown: 'Keep it.' });
  });

  test('keeps that change when it is published from the list', async () => {
    const { id } = await create({ ...returns, isPublished: false });
    tab = openTab(shop, '/admin/pages', { as: admin });
    await see('Returns');
    await byColleague(id, { markdown: 'Keep it.', isPublished: false });
    await press('More actions for Returns');
    await choose('Publish');
    await see('Returns is published');
    expect(await read(id)).toMatchObject({ markdown: 'Keep it.', isPublished: true });
  });
});

test('each text to start from is a valid draft with blanks, and its links lead into the shop', async () => {
  for (const { slug, title, markdown } of startingTexts) {
    expect(blanksIn(markdown).length, slug).toBeGreaterThan(0);
    const page = await create({ slug, title, markdown, isPublished: false });
    expect(page.markdown.length).toBeLessThan(pageLimits.markdown);
    const [, ...links] = markdown.split('](').map((part) => part.split(')')[0]);
    for (const link of links) expect(link).toMatch(/^\/(?:customer\/orders|contact|pages\/shipping-returns)$/);
  }
  tab = openTab(shop, '/admin/pages', { as: admin });
  await see(/FAQ.*Published pages are in the footer, in this order\./);
  await miss('Texts to start from');
});

test('the audit log leads to the page', async () => {
  const { id } = await create();
  tab = openTab(shop, '/admin/audit', { as: admin });
  await see('Page added');
  expect((await control('Returns')).getAttribute('href')).toBe(`/admin/pages/${id}`);
});
