import type { Page } from 'playwright/test';
import type { AnswerOf } from '../../../src/shared/contract';
import { button, change, fail, failing, hang, heading, link, onPage, text, type Screen } from './screen';

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

export const kitchen: Screen[] = [
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
    labels: [heading('My lists'), text('No lists yet.'), button('New list')],
  },
  {
    name: 'lists that are late',
    as: 'customer',
    path: '/customer/lists',
    provoke: hang(listsPath),
    labels: [heading('My lists')],
  },
  {
    name: 'lists that cannot be read',
    as: 'customer',
    path: '/customer/lists',
    provoke: fail(listsPath),
    expected: failing,
    isTriedAgain: true,
    labels: [text('Failed to load your lists'), button('Try again')],
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
      button('Below par 1'),
      button('Add product'),
      button(/^Order to par/),
      link('Count'),
      heading('To order'),
    ],
  },
  {
    name: 'order to par',
    as: 'customer',
    path: `/customer/lists/${listId}#order-to-par`,
    provoke: withList,
    isOpenedPerSize: true,
    labels: [
      ...onPage('heading', 'Order to par', 'Not counted'),
      ...onPage('button', 'Close', /^Add 1 product to cart/),
    ],
  },
  {
    name: 'count',
    as: 'customer',
    path: `/customer/lists/${listId}/count`,
    provoke: withList,
    labels: [
      text('1 of 3'),
      button('One less'),
      button('One more'),
      button('Delete the last digit'),
      ...onPage('button', 'Previous', 'Next'),
    ],
  },
];
