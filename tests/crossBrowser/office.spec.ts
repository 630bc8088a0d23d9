import { expect } from 'playwright/test';
import { newAccount, ownerAccount } from '../e2e/shop';
import { logIn, logOut, payAsTest, signUp } from './people';
import { desktop, phone } from './tab';
import { test } from './harness';

test('the owner creates a product with a picture, sees it sold and ships it', async ({ openBrowser }, info) => {
  const { tab } = await openBrowser(desktop);
  const product = `Roasted Grains ${info.repeatEachIndex}`;
  await test.step('logs in, and sees the main pages', async () => {
    await tab.open('/login');
    await logIn(tab, ownerAccount);
    await tab.sees({ role: 'heading', name: 'Dashboard' });
    for (const [address, heading] of places) {
      await tab.open(address);
      await tab.sees({ role: 'heading', name: heading });
    }
  });
  await test.step('creates a product', async () => {
    await tab.open('/new/product');
    await tab.write('Name', product);
    await tab.write('Price', '12.50');
    await tab.write('Quantity', '20');
    await tab.choose('Category', 'Spices');
    await tab.write('Description', 'Dark and sweet');
    await tab.give('Photo file', 'public/app-icon-180.png');
    await tab.press({ role: 'button', name: 'Save' });
    await tab.sees({ text: 'Product created' });
  });
  const shopper = await openBrowser(phone);
  await test.step('a customer buys it', async () => {
    await signUp(shopper.tab, newAccount());
    await shopper.tab.open(`/search?q=${encodeURIComponent(product)}`);
    await shopper.tab.press({ role: 'button', name: `Add ${product} to cart` });
    await shopper.tab.sees({ text: 'Item added to cart successfully' });
    await shopper.tab.open('/checkout');
    await shopper.tab.press({ text: '12 Market Street' });
    await shopper.tab.press({ role: 'button', name: 'Place Order' });
    await payAsTest(shopper.tab);
    await shopper.tab.sees({ text: '$12.50' });
  });
  await test.step('its pick list is printed', async () => {
    await tab.open('/ordered/products');
    await tab.press({ role: 'checkbox', name: /^Select #/ });
    await tab.press({ role: 'button', name: 'Pick list' });
    await tab.sees({ role: 'heading', name: 'Pick list' });
    // a browser's print dialog would wait for a person
    await tab.run(() => {
      window.print = () => (document.body.dataset['printed'] = document.title);
    }, null);
    await tab.press({ role: 'button', name: 'Print pick list' });
    expect(await tab.run(() => document.body.dataset['printed'], null)).toBe('Pick list');
  });
  await test.step('the order is shipped', async () => {
    await tab.open('/ordered/products');
    await tab.press({ role: 'link', name: /^#/ });
    await tab.press({ role: 'button', name: 'Ship items' }); // opened as the page changes, the dialog stays open
    await tab.write('Tracking number', '1Z84F29W0355182207');
    await tab.press({ role: 'button', name: 'Ship items', within: { role: 'dialog', name: 'Ship items' } });
    await tab.sees({ role: 'heading', name: 'Package 1' });
    await shopper.tab.open('/customer/orders');
    await shopper.tab.sees({ text: 'On Delivery' });
  });
  await test.step('and delivered', async () => {
    await tab.open('/ordered/products');
    await tab.press({ role: 'button', name: /^More actions for #/ });
    await tab.press({ role: 'menuitemradio', name: 'Delivered' });
    await tab.sees({ text: 'Order status updated successfully' });
    await shopper.tab.open('/customer/orders');
    await shopper.tab.sees({ text: 'Delivered' });
  });
  await test.step('and logs out', async () => {
    await logOut(tab, 'Account');
    await tab.sees({ role: 'heading', name: 'Savory, Seasoning & Spices' }); // its target: a pending navigation would win over another
    await tab.open('/dashboard');
    await tab.sees({ role: 'heading', name: 'Log in' });
    expect(await tab.run(() => localStorage.getItem('root'), null)).toBeNull();
  });
});

const places = [
  ['/products', 'Products'],
  ['/admin/products/import', 'Import products'],
  ['/product/category', 'Categories'],
  ['/user/management', 'Users'],
  ['/ordered/products', 'Orders'],
  ['/admin/holds', 'Reserved stock'],
  ['/admin/discounts', 'Discounts'],
  ['/admin/reports', 'Reports'],
  ['/admin/messages', 'Messages'],
  ['/admin/mail', 'Email log'],
  ['/admin/audit', 'Audit log'],
  ['/admin/health', 'Is everything all right?'],
  ['/admin/settings', 'Settings'],
  ['/admin/settings/general', 'General'],
  ['/admin/settings/email', 'Email'],
  ['/admin/pages', 'Pages'],
  ['/admin/pages/new', 'Add page'],
] as const;
