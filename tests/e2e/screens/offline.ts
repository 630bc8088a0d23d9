import { expect, type Page } from 'playwright/test';
import { button, field, heading, link, onPage, text, type Screen } from './screen';

/** Search, contact, and what every screen says without a connection. */
const cut = (page: Page) => page.route(/\/(?:api|healthz)(?:\/|$)/, (route) => route.abort());

/**
 * Once the page is loaded, the connection goes and the browser says so repeatedly: a page has no listener before it is
 * idle, and a response in flight, which a real cut would have lost, tells the page that the shop is reachable.
 */
export const goOffline = async (page: Page, messages = "You're offline.") => {
  await expect(page.getByRole('main').locator('[aria-busy=true], .skeleton')).toHaveCount(0);
  await cut(page);
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
    setInterval(() => window.dispatchEvent(new Event('offline')), 300);
  });
  await expect(page.getByText(messages).first()).toBeVisible();
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
/** Once the form's script is loaded: before that, the browser submits the form itself. */
const send = async (page: Page) => {
  await page.waitForFunction(() => {
    const form = document.querySelector('main form');
    return form !== null && Object.keys(form).some((key) => key.startsWith('__reactProps'));
  });
  await page.getByRole('main').getByRole('button', { name: 'Send' }).click();
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
      ...onPage('option', /^Ginger-Garlic Seasoning/, /roasted peanut cake, ginger, chili/),
      ...onPage('button', 'Close search'),
      ...onPage('text', /^\d+ results/),
      ...onPage('link', 'See all'),
    ],
    opens: [
      {
        name: 'a search that finds nothing',
        act: search('motorcycle'),
        labels: [
          ...onPage('text', 'No products found. Try another search or fewer filters.'),
          ...onPage('link', 'Savory & Seasoning', 'Spices'),
        ],
      },
    ],
  },
  {
    name: 'the page of results',
    as: 'visitor',
    path: '/search?q=pepper',
    labels: [heading('Search'), field('Search products'), text(/^1–10 of \d+ products$/), link('Page 2')],
  },
  {
    name: 'the page of results with nothing to search for',
    as: 'visitor',
    path: '/search',
    labels: [
      heading('Search'),
      text('Search by name, ingredient, or dish'),
      link('Savory & Seasoning'),
      link('Spices'),
    ],
  },
  {
    name: 'contact',
    as: 'visitor',
    path: '/contact',
    act: send,
    labels: [
      heading('Contact'),
      text('Email is required'),
      ...['Full Name', 'Email', 'Phone', 'Message'].map(field),
      button('Send'),
      link('hello@example.com'),
      link('(555) 010-0142'),
    ],
  },
  {
    name: 'thanks for a message',
    as: 'visitor',
    path: '/thankyoupage',
    labels: [heading('Thanks for your message!'), link('Home')],
  },
];
