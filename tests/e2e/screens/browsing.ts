import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import type { DataOf } from '../../../src/shared/contract';
import { goOffline, isCut } from './offline';
import { button, change, fail, failing, hang, heading, label, link, onPage, press, text, type Screen } from './screen';

/** The layout, home, the lists, a product, and unknown pages: what a visitor can browse. */
const inFooter = ['Home', 'About', 'Contact', 'Login'].map(label('link', 'contentinfo'));
const afraGrillRub = '9600b821-74f3-587e-a303-81838ab20504';

/** The build's output for a module. */
async function builtFile(module: string): Promise<string> {
  const built = await readFile('dist/web/.vite/manifest.json', 'utf8');
  const parts = Object.entries(JSON.parse(built) as Record<string, { file: string }>);
  return parts.find(([name]) => name.endsWith(module))?.[1].file ?? module;
}

/** Gives the first product two more sizes. */
function withSizes({ products }: DataOf<'listProductsByCategory'>): void {
  const [first] = products.content;
  if (!first) return;
  const { id, name, unitSize } = first;
  const size = { id, name, unitSize, availability: true };
  first.sizes = [
    { ...size, netGrams: 110, price: 7.95, quantity: 20 },
    { ...size, id: afraGrillRub, netGrams: 450, price: 26.5, quantity: 4 },
    { ...size, id: withoutProduct, netGrams: 1000, price: 51.9, quantity: 0, availability: false },
  ];
}
const withoutProduct = '11111111-2222-4333-8444-555555555555';

/** Adds a page of the owner, unless an earlier row has. */
async function publish(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  const data = {
    slug: 'shipping-returns',
    title: 'Shipping & Returns',
    markdown: 'We pack orders on business days.\n\n## Returns\n\n- Write to <hello@example.com> first.',
    isPublished: true,
  };
  await page.request.post(`${origin}/api/admin/pages`, { headers: { origin, 'idempotency-key': randomUUID() }, data });
}

export const browsing: Screen[] = [
  {
    name: 'home',
    as: 'visitor',
    path: '/',
    labels: [
      heading('Savory, Seasoning & Spices'),
      text('Flavor your world with our savory sensations!'),
      heading('About Us'),
      heading('Products'),
      link('Savory & Seasoning Products'),
      ...onPage('link', 'Home', 'About', 'Contact', 'Login', 'Cart'),
      ...onPage('button', 'Products'),
      ...onPage('field', 'Search'),
      ...inFooter,
      label('heading', 'contentinfo')('Contact'),
      label('text', 'contentinfo')(`© ${new Date().getFullYear()} Savory, Seasoning & Spices`),
    ],
    opens: [
      {
        name: 'the open Products menu',
        act: press('Products'),
        labels: onPage('menuitem', 'Savory & Seasoning', 'Spices'),
      },
    ],
  },
  {
    name: 'home that could not be drawn',
    as: 'visitor',
    path: '/no/such/home',
    provoke: async (page) => page.route(`**/${await builtFile('/HomePage.tsx')}`, (route) => route.abort()),
    act: (page) => page.getByRole('main').getByRole('link', { name: 'Home' }).click(),
    labels: [heading('Something went wrong'), button('Try again')],
    expected: /./,
  },
  {
    name: 'savory',
    as: 'visitor',
    path: '/products/savory',
    expected: isCut,
    labels: [
      heading('Savory & Seasoning'),
      text('1–10 of 18 products'),
      button(/^Add .+ to cart$/),
      ...['Filters', 'Sort: Featured'].map(button),
      link('Page 2'),
      button('Previous'),
      link('Next'),
      ...onPage('link', 'Cart'),
    ],
    opens: [
      {
        name: 'the open filters',
        act: press('Filters'),
        labels: [
          ...onPage('heading', 'Filters'),
          ...onPage('checkbox', /^No heat \d+$/, /^No peanuts \d+$/, /^The Gambia \d+$/, /^In stock only \d+$/),
          ...onPage('button', 'Close', 'Clear all', 'Show 18 products'),
        ],
      },
      {
        name: 'the open order',
        act: press('Sort: Featured'),
        labels: onPage(
          'menuitemradio',
          'Featured',
          'Bestsellers',
          'Newest',
          'Price, low to high',
          'Price, high to low',
          'Heat, mild to hot',
          'Name, A to Z',
        ),
      },
      {
        name: 'a list without a connection',
        act: goOffline,
        labels: [
          ...onPage('text', /^You're offline\. Showing what is saved on this device\./),
          text('1–10 of 18 products'),
        ],
      },
    ],
  },
  {
    name: 'a list with its filters',
    as: 'customer',
    path: '/products/savory?heat=1,2&allergens=peanuts',
    labels: [
      button('Filters 3'),
      button('Remove Heat: mild, medium'),
      button('Remove Allergens: no peanuts'),
      text('Out of Stock'),
      ...onPage('button', 'Account settings'),
    ],
    opens: [
      {
        name: 'the open Settings menu',
        act: press('Account settings'),
        labels: [
          ...onPage('menuitem', 'Profile', 'Edit Profile', 'View Addresses', 'Orders', 'Logout'),
          label('link', 'contentinfo')('Orders'),
        ],
      },
    ],
  },
  {
    name: 'a list that nothing passes',
    as: 'visitor',
    path: '/products/savory?heat=5&origin=Egypt',
    labels: [
      text('No products found. Try another search or fewer filters.'),
      link('Savory & Seasoning'),
      link('Spices'),
      link('Show all products'),
    ],
  },
  {
    name: 'a list with sizes',
    as: 'customer',
    path: '/contact',
    provoke: change(/\/products\/category\/spices/, withSizes),
    act: async (page) => {
      await press('Products')(page);
      await page.getByRole('menuitem', { name: 'Spices' }).click();
    },
    labels: [heading('Spices'), text('3 sizes, from $1.67/oz'), button(/^Choose a size of/)],
    isOpenedPerSize: true,
    opens: [
      {
        name: 'the open sizes',
        act: (page) => page.getByRole('button', { name: /^Choose a size of/ }).click(),
        labels: [
          ...onPage('dialog', /^Sizes of/),
          ...onPage('text', '3.9 oz', '15.9 oz', '$1.67/oz · Only 4 left', 'Sold out'),
          ...onPage('button', /^Add .+, 15\.9 oz to cart$/),
        ],
      },
    ],
  },
  {
    name: 'a list that is loading',
    as: 'visitor',
    path: '/login',
    provoke: hang(/\/products\/category\//),
    act: async (page) => {
      await press('Products')(page);
      await page.getByRole('menuitem', { name: 'Spices' }).click();
    },
    labels: [heading('Spices')],
  },
  {
    name: 'a list that failed',
    as: 'visitor',
    path: '/login',
    provoke: fail(/\/products\/category\//),
    act: async (page) => {
      await press('Products')(page);
      await page.getByRole('menuitem', { name: 'Spices' }).click();
    },
    labels: [text('Failed to fetch products by category'), button('Try again')],
    isTriedAgain: true,
    expected: failing,
  },
  {
    name: 'a product',
    as: 'visitor',
    path: `/customer/view/product/${afraGrillRub}`,
    labels: [
      heading('Afra Grill Rub'),
      label('img', 'main')(/./),
      text('Savory & Seasoning'),
      text(/^A bold rub in the style of/),
      text('Available'),
      text('$7.95'),
      ...['Category', 'Size', 'Origin', 'Heat', 'Allergens'].map(text),
      text('110 g'),
      text(/^Hot/),
      button('Add to cart'),
      heading('Goes well with'),
      button(/^Add .+ to cart$/),
      link('Back'),
    ],
  },
  {
    name: 'a product at its readable address',
    as: 'visitor',
    path: '/p/afra-grill-rub',
    labels: [heading('Afra Grill Rub'), text('$7.95'), text('$2.05/oz'), button('Add to cart'), link('Back')],
  },
  {
    name: 'a product that is no longer sold',
    as: 'visitor',
    path: '/products/savory',
    provoke: change(/\/public\/products\/[\da-f-]{36}$/, ({ product }: { product: { archived: boolean } }) => {
      product.archived = true;
    }),
    act: (page) => page.getByRole('link', { name: 'Afra Grill Rub' }).click(),
    labels: [heading('This product is no longer sold'), link('Back')],
  },
  {
    name: 'a page of the owner',
    as: 'owner',
    path: '/pages/shipping-returns',
    provoke: publish,
    labels: [
      heading('Shipping & Returns'),
      heading('Returns'),
      text('We pack orders on business days.'),
      text(/^Updated \w{3} \d+, \d{4}$/),
      link('hello@example.com'),
      label('link', 'contentinfo')('Shipping & Returns'),
    ],
  },
  {
    name: 'an unknown path',
    as: 'visitor',
    path: '/no/such/page',
    labels: [heading('404 not found'), link('Home')],
    expected: /404/,
  },
  {
    name: 'a page for staff, seen by a customer',
    as: 'customer',
    path: '/dashboard',
    labels: [heading('403 forbidden'), link('Home')],
  },
];
