import { expect, type Page } from 'playwright/test';
import type { AnswerOf, Schema } from '../../../src/shared/contract';
import { goOffline, isCut } from './offline';
import { button, change, heading, link, onPage, press, text, type Screen } from './screen';

/** Lists, their sheet, counting, and ordering to par. */
const listId = '3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74';
const listsPath = /\/api\/public\/lists\//;

/** A list of products that the shop has: below par, at par and not counted. */
async function withList(page: Page): Promise<void> {
  const answer = await page.request.get('/api/public/products?size=3');
  const { content } = ((await answer.json()) as AnswerOf<'listProducts'>).data.products;
  const counts = [
    { par: 2, onHand: 0.5, countedAt: '2026-11-18T08:12:00.000Z' },
    { par: 1, onHand: 4, countedAt: '2026-11-18T08:12:00.000Z' },
    { par: 2, onHand: null, countedAt: null },
  ];
  const items = content.map(({ id: productId }, place) => ({ productId, ...counts[place] }));
  await change(listsPath, (data: { lists: object[] }) => {
    data.lists = [{ id: listId, name: 'Weekly kitchen', changedAt: '2026-11-18T08:12:00.000Z', items }];
  })(page);
}

type Product = Pick<Schema<'Product'>, 'id' | 'name'>;

/** What the device recorded, and when it was away: as if the change feed had reported it. */
async function noteChanges(page: Page): Promise<void> {
  const answer = await page.request.get('/api/public/products?size=6');
  const { content } = ((await answer.json()) as AnswerOf<'listProducts'>).data.products;
  await expect.poll(() => page.evaluate(isKitchenThere)).toBe(true);
  await page.evaluate(writeChanges, content);
  await page.reload();
}

/** In the browser. @returns whether the app has created its database: opening it earlier would leave it empty */
const isKitchenThere = async () =>
  (await indexedDB.databases()).some(({ name, version = 0 }) => name === 'shop-kitchen' && version >= 30);

/** In the browser. */
async function writeChanges([grill, pepper, thyme, suya, gone, fresh]: Product[]): Promise<void> {
  const { id: userId } = JSON.parse(localStorage.getItem('root') ?? '{}') as { id: string };
  const now = Date.now();
  const dayMs = 24 * 60 * 60 * 1000;
  const about = (product: Product | undefined) => ({ productId: product?.id, name: product?.name });
  const changes = [
    { kind: 'order', orderId: userId, orderNumber: '100482', from: 'PAID', to: 'OUT_FOR_DELIVERY' },
    { kind: 'price', ...about(grill), from: 795, to: 845 },
    { kind: 'price', ...about(pepper), from: 525, to: 495 },
    { kind: 'offer', ...about(thyme), from: 'in_stock', to: 'sold_out' },
    { kind: 'offer', ...about(suya), from: 'sold_out', to: 'in_stock' },
    { kind: 'offer', ...about(gone), from: 'in_stock', to: 'not_sold' },
    { kind: 'new', ...about(fresh) },
  ];
  const opened = indexedDB.open('shop-kitchen');
  const ended = (request: IDBRequest) =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', resolve);
      request.addEventListener('error', reject);
    });
  await ended(opened);
  const store = opened.result.transaction('changes', 'readwrite').objectStore('changes');
  const writing = changes.map((change, place) =>
    ended(store.put({ key: `${place}`, userId, at: now - (place < 2 ? 0 : dayMs), change })),
  );
  await Promise.all(writing);
  opened.result.close();
  localStorage.setItem(
    'in-step',
    JSON.stringify({ userId, at: now, away: { since: now - 4 * dayMs, until: now + dayMs } }),
  );
}

/** As `noteChanges`, after the sheet was seen. */
async function seeChanges(page: Page): Promise<void> {
  await noteChanges(page);
  await page.getByRole('button', { name: 'Close' }).click();
}

export const kitchen: Screen[] = [
  {
    name: 'while you were away',
    as: 'customer',
    path: '/products/spices',
    provoke: withList,
    act: noteChanges,
    isOpenedPerSize: true,
    labels: [
      ...onPage('dialog', 'While you were away'),
      ...onPage('text', /^Since /, 'Now On Delivery'),
      ...onPage('heading', 'Your orders 1', 'Prices 2', 'Sold out 1', 'Back in stock 1', 'No longer sold 1', 'New 1'),
      ...onPage('link', 'Order #100482'),
      ...onPage('button', 'Close', 'Dismiss Order #100482', 'Dismiss all'),
    ],
  },
  {
    name: 'what changed',
    as: 'customer',
    path: '/customer/changes',
    provoke: withList,
    act: seeChanges,
    labels: [
      heading('Updates'),
      text('The last 30 days of changes to your orders, cart, and lists.'),
      heading('Today'),
      link('Order #100482'),
      button('Dismiss Order #100482'),
    ],
  },
  {
    name: 'what changed: nothing',
    as: 'customer',
    path: '/customer/changes',
    labels: [heading('Updates'), text('Nothing has changed.')],
  },
  {
    name: 'lists',
    as: 'customer',
    path: '/customer/lists',
    provoke: withList,
    labels: [
      heading('My lists'),
      button('New list'),
      button('Save cart as list'),
      link('Weekly kitchen'),
      text('3 products · 1 below par'),
      link('Count'),
      link('Order to par'),
    ],
  },
  {
    name: 'no lists',
    as: 'customer',
    path: '/customer/lists',
    labels: [heading('My lists'), text('No lists yet'), button('New list')],
  },
  {
    name: 'list',
    as: 'customer',
    path: `/customer/lists/${listId}`,
    provoke: withList,
    labels: [
      heading('Weekly kitchen'),
      link('My lists'),
      button('All 3'),
      button('To order 1'),
      button('Add products'),
      button('More actions for Weekly kitchen'),
      button(/^More actions for /),
      button(/^Order to par/),
      link('Count'),
      heading('To order'),
    ],
    opens: [
      {
        name: 'order to par',
        act: press('Order to par'),
        labels: [
          ...onPage('heading', 'Order to par', 'Not counted'),
          ...onPage('button', 'Close', /^Add 1 product to cart/),
        ],
      },
      {
        name: 'add products',
        act: press('Add products'),
        labels: [
          ...onPage('heading', 'Add products', 'Savory & Seasoning', 'Spices'),
          ...onPage('button', 'Close', 'Select all: Spices', 'Add products'),
          ...onPage('text', '0 selected'),
        ],
      },
    ],
  },
  {
    name: 'count without a connection',
    as: 'customer',
    path: `/customer/lists/${listId}/count`,
    isAtArmsLength: true,
    provoke: withList,
    act: (page) => goOffline(page, 'Saved offline'),
    expected: isCut,
    labels: [
      ...onPage('text', '1 of 3', 'Saved offline'),
      button('Remove one'),
      button('Add one'),
      button('Delete the last digit'),
      ...onPage('button', 'Previous', 'Next'),
    ],
  },
];
