import { expect, type Page } from 'playwright/test';
import { noAddresses } from './buying';
import { button, fail, failing, field, heading, link, onPage, text, type Screen } from './screen';

/** Search, contact, and what every screen says without a connection. */
const cut = (page: Page) => page.route(/\/(?:api|healthz)(?:\/|$)/, (route) => route.abort());

/**
 * The page is there; then the connection goes, and the browser says so, again and again: nobody listens before a page is
 * idle, and an answer that was under way, which a real cut would have lost, tells the page that the shop can be reached.
 */
export const goOffline = async (page: Page, says = 'You are offline.') => {
  await expect(page.getByRole('main').locator('[aria-busy=true], .skeleton')).toHaveCount(0);
  await cut(page);
  await page.evaluate(() => setInterval(() => window.dispatchEvent(new Event('offline')), 300));
  await expect(page.getByText(says).first()).toBeVisible();
};
export const isCut = /ERR_FAILED|Failed to load resource/;

const search = (typed: string) => async (page: Page) => {
  const box = page.getByRole('combobox');
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(box).toBeVisible({ timeout: 300 });
  }).toPass();
  await box.fill(typed);
};
/** Once the form's script is there: before it, the browser sends the form itself. */
const send = async (page: Page) => {
  await page.waitForFunction(() => {
    const form = document.querySelector('main form');
    return form !== null && Object.keys(form).some((key) => key.startsWith('__reactProps'));
  });
  await page.getByRole('main').getByRole('button', { name: 'Send' }).click();
};
const write = async (page: Page) => {
  await page.getByLabel('Email').fill('cook@example.com');
  await page.getByLabel('Reason').fill('Do you sell djar by the kilo?');
};

export const offline: Screen[] = [
  {
    name: 'the search, open',
    as: 'visitor',
    path: '/products/savory',
    act: search('gin'),
    labels: [
      ...onPage('dialog', 'Search'),
      ...onPage('combobox', 'Search products'),
      ...onPage('option', /^Ginger-Garlic Seasoning/, /roasted peanut cake, ginger, chilli/),
      ...onPage('button', 'Close search'),
      ...onPage('text', /^\d+ results\./),
      ...onPage('link', 'See all'),
    ],
  },
  {
    name: 'a search that finds nothing',
    as: 'visitor',
    path: '/contact',
    act: search('motorcycle'),
    labels: [...onPage('text', 'No products found.'), ...onPage('link', 'Savory & Seasoning', 'Spices')],
  },
  {
    name: 'the page of results',
    as: 'visitor',
    path: '/search?q=pepper',
    labels: [heading('Search'), field('Search products'), text(/^1–10 of \d+$/), link('Page 2')],
  },
  {
    name: 'the page of results with nothing to search for',
    as: 'visitor',
    path: '/search',
    labels: [
      heading('Search'),
      text('Type the name of a product, or what it tastes of.'),
      link('Savory & Seasoning'),
      link('Spices'),
    ],
  },
  {
    name: 'contact',
    as: 'visitor',
    path: '/contact',
    labels: [
      heading('Contact'),
      ...['Full Name', 'Email', 'Phone', 'Reason'].map(field),
      button('Send'),
      link('hello@example.com'),
      link('(555) 010-0142'),
    ],
  },
  {
    name: 'contact with mistakes',
    as: 'visitor',
    path: '/contact',
    act: send,
    labels: [text('This field is required')],
  },
  {
    name: 'a message that failed',
    as: 'visitor',
    path: '/contact',
    provoke: fail(/\/contact\/create/),
    act: async (page) => {
      await write(page);
      await send(page);
    },
    labels: [text('Failed to send your message')],
    expected: failing,
  },
  {
    name: 'a message that waits for a connection',
    as: 'visitor',
    path: '/contact',
    act: async (page) => {
      await goOffline(page);
      await write(page);
      await send(page);
    },
    labels: [text('Your message is kept on this device and will be sent when you are online.')],
    expected: isCut,
  },
  { name: 'thanks for a message', as: 'visitor', path: '/thankyoupage', labels: [heading('Thank you'), link('Home')] },
  {
    name: 'a list without a connection',
    as: 'visitor',
    path: '/products/savory',
    act: goOffline,
    labels: [...onPage('text', /^You are offline\. Showing what is saved on this device\./), text('1–10 of 18')],
    expected: isCut,
  },
  {
    name: 'cart without a connection',
    as: 'customer',
    path: '/cart',
    act: async (page) => {
      await goOffline(page);
      await page.getByRole('button', { name: 'Increase' }).first().click();
    },
    labels: [
      ...onPage('text', '1 queued'),
      text('queued: will sync when online'),
      text('Checkout needs a connection'),
      button('Proceed to Checkout'),
    ],
    expected: isCut,
  },
  {
    name: 'checkout without a connection and without a saved address',
    as: 'customer',
    path: '/checkout',
    provoke: noAddresses,
    act: goOffline,
    labels: [
      text('Checkout needs a connection'),
      text('Your cart and address are kept on this device.'),
      button('Place Order'),
    ],
    expected: isCut,
  },
  {
    name: 'login without a connection',
    as: 'visitor',
    path: '/login',
    act: goOffline,
    labels: [text('Login needs a connection'), button('Login')],
    expected: isCut,
  },
];
