import type { Page, Route } from 'playwright/test';
import type { Schema } from '../../../src/shared/contract';
import { button, change, fail, failing, field, hang, heading, press, radio, text, type Screen } from './screen';

/** The checkout, and the cart, of a shop whose owner set delivery, tax and codes. */
type Quote = Schema<'Quote'>;
type Choice = Schema<'QuoteRequest'>;

const standardId = '3d5c9a70-1b2e-4f68-9a0d-7c6b5e4f3a21';
const methods = [
  { id: standardId, name: 'Standard', description: '3 to 5 working days', price: 5.95, freeFrom: 60 },
  {
    id: '8c1f7e52-94d3-4b0a-8e6f-2a7b9c0d1e34',
    name: 'Express',
    description: 'Next working day',
    price: 14.95,
    freeFrom: null,
  },
];
const checkout = {
  deliveryMethods: methods.map((method) => ({ ...method, states: null })),
  taxRates: [{ state: 'GA', rate: 4, taxesDelivery: true }],
  takesCodes: true,
};

export const ownerSets = change(/\/api\/public\/shop$/, ({ shop }: { shop: object }) =>
  Object.assign(shop, { checkout }),
);

/** The cart whose goods the quotes below have: a quote of other goods is none of what is shown. */
const cartOfQuotes = change(
  /\/api\/public\/cart\/[\da-f-]{36}$/,
  ({ cartResponse: cart }: { cartResponse: Schema<'Cart'> }) => {
    const [first, second] = cart.cartItems;
    if (!first || !second) throw new Error('the cart has two products');
    const price = (3180 - Math.round(100 * second.totalPrice)) / 100;
    Object.assign(first, { price, currentPrice: price, totalPrice: price });
    cart.totalAmount = open.goods;
  },
);

/** The page brings what it knows of the shop along. */
const inPage = async (route: Route) => {
  const response = await route.fetch();
  const body = (await response.text()).replace('"taxRates":[]', `"taxRates":${JSON.stringify(checkout.taxRates)}`);
  await route.fulfill({ response, body });
};

const open: Quote = {
  goods: 31.8,
  discount: null,
  deliveryMethods: null,
  deliveryMethodId: null,
  delivery: null,
  tax: null,
  total: 31.8,
};
export const whole: Quote = {
  ...open,
  deliveryMethods: methods,
  deliveryMethodId: standardId,
  delivery: 5.95,
  tax: { rate: 4, amount: 1.51 },
  total: 39.26,
};
const discounted: Quote = {
  ...whole,
  discount: { code: 'WELCOME10', kind: 'percent', amount: 3.18 },
  tax: { rate: 4, amount: 1.38 },
  total: 35.95,
};
const notServed: Quote = { ...open, deliveryMethods: [], total: null };

const quote = (of: Quote) => ({ json: { message: 'Quote', data: { quote: of } } });
const refuse = (status: number, code: string, message: string, more: object = {}) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ code, message, ...more }),
});
type Answer = ReturnType<typeof quote> | ReturnType<typeof refuse>;

/** The owner set all of it, and this is what a choice costs. */
const selling =
  (answerTo: (choice: Choice) => Answer, placing?: Answer) =>
  async (page: Page): Promise<void> => {
    await ownerSets(page);
    await cartOfQuotes(page);
    await page.route(/\/quote\//, (route: Route) => route.fulfill(answerTo(route.request().postDataJSON() as Choice)));
    if (placing) await page.route(/\/payment\/[\da-f-]{36}$/, (route) => route.fulfill(placing));
  };
export const priced = (of: Quote) =>
  selling(({ deliveryAddress, discountCode }) =>
    quote(deliveryAddress ? (discountCode ? discounted : of) : { ...open, discount: null }),
  );
export const chooseAddress = (page: Page) => page.getByText('12 Market Street').click();
const enterCode = async (page: Page) => {
  await chooseAddress(page);
  await press('Add a discount code')(page);
  await page.getByLabel('Discount code').fill('welcome10');
  await page.getByLabel('Discount code').press('Enter');
};

export const summed: Screen[] = [
  {
    name: 'cart of a shop that delivers',
    as: 'customer',
    path: '/cart',
    provoke: (page) => page.route(/\/cart$/, inPage),
    labels: [text('Subtotal'), text('Delivery and tax are added at checkout')],
  },
  {
    name: 'checkout with a total',
    as: 'customer',
    path: '/checkout',
    provoke: priced(whole),
    act: enterCode,
    labels: [
      heading('Delivery'),
      radio(/^Standard/),
      radio(/^Express/),
      text('Free from $60'),
      field('Delivery note'),
      field('Discount code'),
      button('Apply'),
      button('Remove code WELCOME10'),
      text('Discount (WELCOME10)'),
      text('Delivery (Standard)'),
      text('Sales tax (GA 4%)'),
      text('$35.95'),
      button('Place Order'),
      button('Back to Cart'),
    ],
  },
  {
    name: 'checkout with a total, no address yet',
    as: 'customer',
    path: '/checkout',
    provoke: priced(whole),
    labels: [
      radio('Add a new address'),
      text('Subtotal'),
      text('Delivery and tax are added at checkout'),
      button('Add a discount code'),
    ],
  },
  {
    name: 'checkout where no method serves',
    as: 'customer',
    path: '/checkout',
    provoke: priced(notServed),
    act: chooseAddress,
    labels: [
      text('We do not deliver to Georgia yet'),
      text(/Choose another address, or/),
      text('Not to Georgia'),
      button('Place Order'),
    ],
  },
  {
    name: 'checkout whose total is loading',
    as: 'customer',
    path: '/checkout',
    provoke: async (page) => {
      await ownerSets(page);
      await hang(/\/quote\//)(page);
    },
    act: chooseAddress,
    labels: [text('Loading the ways of delivery'), text('Loading the total')],
  },
  {
    name: 'checkout whose total is worked out anew',
    as: 'customer',
    path: '/checkout',
    provoke: async (page) => {
      await ownerSets(page);
      await cartOfQuotes(page);
      await page.route(/\/quote\//, (route) => {
        const { deliveryMethodId } = route.request().postDataJSON() as Choice;
        return deliveryMethodId ? undefined : route.fulfill(quote(whole));
      });
    },
    act: async (page) => {
      await chooseAddress(page);
      await page.getByText('Express').click();
    },
    labels: [text('Delivery (Standard)'), text('$39.26'), button('Place Order')],
  },
  {
    name: 'a discount code that was refused',
    as: 'customer',
    path: '/checkout',
    provoke: selling(({ discountCode }) =>
      discountCode ? refuse(409, 'discount_ended', 'This code has ended') : quote(whole),
    ),
    act: enterCode,
    labels: [text('This code has ended'), text('$39.26')],
    expected: /409/,
  },
  {
    name: 'a total that could not be worked out',
    as: 'customer',
    path: '/checkout',
    provoke: async (page) => {
      await ownerSets(page);
      await fail(/\/quote\//)(page);
    },
    act: chooseAddress,
    labels: [text(/^Failed to work out the total/), button('Try again')],
    expected: failing,
  },
  {
    name: 'a total that changed',
    as: 'customer',
    path: '/checkout',
    provoke: selling(
      ({ deliveryAddress }) => quote(deliveryAddress ? whole : open),
      refuse(409, 'total_changed', 'The total changed from $39.26 to $40.01', { quote: { ...whole, total: 40.01 } }),
    ),
    act: async (page) => {
      await chooseAddress(page);
      await press('Place Order')(page);
    },
    labels: [text('The total changed from $39.26 to $40.01'), text('$40.01')],
    expected: /409/,
  },
];
