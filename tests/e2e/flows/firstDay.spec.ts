import { access } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import { csvOf } from '../../../src/shared/csvOf';
import { startMailServer } from '../../support/mailServer';
import { createShop, ownerAccount } from '../runningShop';
import { expect, listenTo, test } from '../shop';

/** From the start of a new shop to a paid test order. */
const mostPresses = 120;

/** A press is a click, Enter, a choice, or the click into a field that is typed in. */
function countingHand(page: Page) {
  let presses = 0;
  const main = page.getByRole('main');
  const inside = (within: Locator | Page, label: string | RegExp) => within.getByLabel(label, { exact: true });
  const press = async (target: Locator) => {
    await target.click();
    presses += 1;
  };
  return {
    presses: () => presses,
    press,
    pressButton: (name: string | RegExp, within: Locator | Page = main) =>
      press(within.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })),
    pressLink: (name: string | RegExp, within: Locator | Page = main) =>
      press(within.getByRole('link', { name, ...(typeof name === 'string' && { exact: true }) }).first()),
    type: async (fields: Record<string, string>, within: Locator | Page = main) => {
      for (const [label, text] of Object.entries(fields)) {
        const field = inside(within, label);
        await press(field);
        await field.fill(text);
      }
    },
    choose: async (label: string | RegExp, option: string, within: Locator | Page = main) => {
      await inside(within, label).selectOption(option);
      presses += 1;
    },
    /** Presses the button, and chooses the file in the browser's dialog. */
    give: async (button: Locator, file: Parameters<Locator['setInputFiles']>[0]) => {
      const chooser = page.waitForEvent('filechooser');
      await press(button);
      await (await chooser).setFiles(file);
      presses += 1;
    },
  };
}

const products = Array.from({ length: 10 }, (_, index) => [
  `Kerr salt no. ${index + 1}`,
  'Raked by hand at the river.',
  `${4 + index}.50`,
  'yes',
  '40',
  'spices',
]);
const productsFile = {
  name: 'products.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(csvOf([['name', 'description', 'price', 'availability', 'quantity', 'category'], ...products])),
};
const card = { 'Card number': '4242 4242 4242 4242', 'Expiration date': '12 / 34', 'Security code': '123' };
const mailLogin = { user: 'hello@kerr.example', password: 'tarragon & thyme 3' };

test.use({ viewport: { width: 1440, height: 900 }, hasTouch: false });

test(`a new owner follows the list from an empty shop to a paid test order in at most ${mostPresses} presses`, async ({
  browser,
}) => {
  const shop = await createShop();
  const mailServer = await startMailServer({ login: mailLogin });
  const page = await browser.newPage({ baseURL: shop.url, viewport: { width: 1440, height: 900 } });
  const heard = listenTo(page);
  const { press, pressButton, pressLink, type, choose, give, presses } = countingHand(page);
  const said = (text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible();
  const isOpen = async (heading: string) =>
    expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  /** Back to the list on the dashboard, and on by its button. */
  const next = async (button: string, heading: string) => {
    await pressLink('Dashboard', page.getByRole('navigation', { name: 'Admin' }));
    await pressLink(button, page.getByRole('region', { name: /^Go live/ }));
    await isOpen(heading);
  };
  try {
    await shop.start();
    await page.goto('/login'); // printed by npm start
    await type({ Email: ownerAccount.email, Password: ownerAccount.password });
    await pressButton('Log in');
    await expect(page).toHaveURL(/\/dashboard/);

    await test.step('contact info', async () => {
      await pressLink('Update contact info');
      await isOpen('General');
      await type({ 'Contact email': 'hello@kerr.example', 'Contact phone': '+1 404 555 0100' });
      await pressButton('Save');
      await said('Settings saved');
    });
    await test.step('name, logo, home text', async () => {
      await next('Set name and logo', 'Brand');
      await type({ 'Shop name': 'Kerr Salt', 'Banner text': 'Raked by hand.', 'About Us': 'We rake salt.' });
      await pressButton('Save');
      await said('Settings saved');
      await give(page.getByRole('button', { name: 'Choose logo' }), 'public/app-icon-192.png');
      await said('Logo saved');
    });
    await test.step('ten own products instead of the samples', async () => {
      await next('Open products', 'Products');
      await choose(/^Rows per page/, '100');
      await said(/^1–(\d+) of \1$/); // until then, the first ten would be selected
      await press(page.getByRole('checkbox', { name: 'Select all rows on this page' }));
      await pressButton('Delete');
      await pressButton('Delete', page.getByRole('alertdialog'));
      await said(/products deleted/);
      await pressLink('Import CSV');
      await give(page.getByRole('button', { name: 'Choose file' }), productsFile);
      await pressButton('Import 10 rows');
      await said(/10 new/);
    });
    await test.step('delivery', async () => {
      await next('Add delivery', 'Delivery');
      await pressButton('Add method');
      await type({ Name: 'Standard', Price: '5' }, page.getByRole('dialog'));
      await pressButton('Save', page.getByRole('dialog'));
      await said('Delivery method added');
    });
    await test.step('sales tax', async () => {
      await next('Set sales tax', 'Sales tax');
      await type({ 'Tax rate for Georgia in percent': '4' });
      await pressButton('Save');
      await said('1 rate saved');
    });
    await test.step('four policies, from the texts to start from', async () => {
      await next('Open pages', 'Pages');
      for (const title of ['Shipping & Returns', 'Privacy', 'Terms', 'FAQ']) {
        await pressLink(`Use text: ${title}`);
        const nextBlank = page.getByRole('button', { name: 'Next blank' });
        await expect(page.getByLabel('Text', { exact: true })).not.toBeEmpty();
        while (await nextBlank.isVisible()) {
          await press(nextBlank);
          await page.keyboard.insertText('Kerr Salt');
        }
        await press(page.getByRole('switch', { name: 'Published' }));
        await pressButton('Save');
        await isOpen('Pages');
      }
    });
    await test.step('email', async () => {
      await next('Set up email', 'Email');
      await type({ Server: '127.0.0.1' });
      await choose('Security', 'none');
      await type({ Port: String(mailServer.port), Username: mailLogin.user, Password: mailLogin.password });
      await type({ 'From address': 'hello@kerr.example', 'Your password': ownerAccount.password });
      await pressButton('Save and check');
      await pressButton('Send test email');
      await said(/^Sent\./);
    });
    await test.step('a backup', async () => {
      await next('Open backups', 'Backups');
      await pressButton('Back up now');
      await said(/Your shop is backed up/);
    });
    await test.step('a paid test order', async () => {
      await next('Open the shop', 'Kerr Salt');
      await pressLink('Spices');
      await pressButton(/^Add Kerr salt no\. 1 to cart/);
      await pressLink(/^Cart, 1 item/, page);
      await pressButton('Proceed to Checkout', page);
      const dialog = page.getByRole('dialog');
      await type({ 'Street Address': '12 Market Street', City: 'Atlanta' }, dialog);
      await choose('State', 'GA', dialog);
      await type({ 'Postal Code': '30303' }, dialog);
      await pressButton('Use This Address', dialog);
      await pressButton('Place Order', page);
      await type({ ...card, 'Name on card': 'Awa Kerr', 'ZIP code': '30303' }, page);
      await pressButton(/^Pay \$/, page);
      await expect(page.getByRole('heading', { level: 1, name: /^Thank you, / })).toBeVisible();
    });

    process.stdout.write(`${presses()} presses\n`);
    expect(presses()).toBeLessThanOrEqual(mostPresses);
    await page.goto('/admin/settings/go-live');
    await expect(page.getByRole('main').getByRole('heading', { level: 3, name: /: open$/ })).toHaveText([
      /Live payments/,
      /Address/,
    ]);
    await expect.poll(() => mailServer.received.map(({ source }) => source).join()).toMatch(/^Subject: .*order/im);
    for (const { source } of mailServer.received)
      expect(/^From: .*/m.exec(source)?.[0]).toBe('From: Kerr Salt <hello@kerr.example>');
    await expect(access(shop.mails)).rejects.toThrow(); // no email became a file instead
    expect(heard).toEqual([]);
  } finally {
    await page.close();
    await mailServer.close();
    await shop.stop();
  }
});
