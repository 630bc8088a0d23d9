import { expect, type Page } from 'playwright/test';
import { goOffline, isCut } from './offline';
import { button, change, heading, link, onPage, press, radio, text, type Screen } from './screen';
import { chooseAddress, ownerSets, priced, whole } from './summed';

/** An order prepared without a connection, waiting, and shown with one. */
const prepare = async (page: Page) => {
  await expect(page.getByText('12 Market Street')).toBeVisible(); // an empty page, too, has nothing that is late
  await goOffline(page);
  await expect(page.getByText('Get this order ready now')).toBeVisible();
  await chooseAddress(page);
};
/** The connection is back, and whatever `sell` says has changed meanwhile. */
const comeBack = async (page: Page, sell: (page: Page) => Promise<unknown>, path = '/checkout/waiting') => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await sell(page);
  await page.goto(path);
};

type Lines = { cartResponse: { cartItems: { productId: string; productName: string; imageUrl: string | null }[] } };
const changedLines = change(/\/api\/public\/cart\//, ({ cartResponse: { cartItems } }: Lines) => {
  const [first = {}, second = {}] = cartItems;
  Object.assign(first, { notice: 'price_changed', currentPrice: 16.9 });
  Object.assign(second, { notice: 'not_enough_stock', quantity: 3, stock: 2 });
});

export const waiting: Screen[] = [
  {
    name: 'no order that waits',
    as: 'customer',
    path: '/checkout/waiting',
    labels: [heading('Your order'), text(/^There's no order waiting on this device\./), link('Cart')],
  },
  {
    name: 'checkout without a connection',
    as: 'customer',
    path: '/checkout',
    provoke: ownerSets,
    act: prepare,
    labels: [
      text('Get this order ready now'),
      text(/It's saved on this device\./),
      text('From this device'),
      radio(/^Standard/),
      text(/^As of /),
      text('Delivery (Standard)'),
      text('Sales tax (GA 4%)'),
      button('Order when online'),
      button('Back to Cart'),
      text("We'll keep it for 24 hours."),
    ],
    expected: isCut,
    opens: [
      {
        name: 'cart of an order that waits',
        act: async (page) => {
          await press('Order when online')(page);
          await expect(page.getByText("Order ready to place when you're online")).toBeVisible();
        },
        labels: [text("Order ready to place when you're online"), link('Change'), button('Discard order')],
      },
      {
        name: 'the banner of an order that waited',
        act: (page) => comeBack(page, () => Promise.resolve(), '/products/savory'),
        labels: [
          ...onPage('text', 'Your order is ready to place. Nothing has been ordered yet.'),
          ...onPage('link', 'View order'),
        ],
      },
      {
        name: 'an order that waited, with what changed',
        act: (page) =>
          comeBack(page, async () => {
            await priced({ ...whole, goods: 43.75, total: 52.51 })(page);
            await changedLines(page);
          }),
        labels: [
          heading('Your order is ready to place'),
          text('Nothing has been ordered yet.'),
          heading('What changed'),
          text(/^Since .*, \d changes$/),
          text(/^Now \$16\.90 \(was \$[\d.]+\)$/),
          text('Only 2 left'),
          button(/^Take 2 of /),
          button(/^Remove /),
          text('The total is now $52.51'),
          text('Review the highlighted items to continue'),
          link('Change address'),
          button('Place Order'),
          button('Back to Cart'),
          button('Discard order'),
          text(/^We'll keep it until tomorrow, /),
        ],
      },
    ],
  },
];
