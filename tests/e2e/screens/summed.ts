import type { Page, Route } from 'playwright/test';
import type { Schema } from '../../../src/shared/contract';
import { button, change, field, heading, press, radio, text, type Screen } from './screen';

/** The checkout, and the cart, of a shop whose owner set delivery, tax and codes. */
type Quote = Schema<'Quote'>;
type Choice = Schema<'QuoteRequest'>;

const standardId = '3d5c9a70-1b2e-4f68-9a0d-7c6b5e4f3a21';
const methods = [
  { id: standardId, name: 'Standard', description: '3–5 business days', price: 5.95, freeFrom: 60 },
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

/** The cart that the quotes below are for: a quote for other goods does not match what is shown. */
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
export const priced = (of: Quote, placing?: Answer) =>
  selling(
    ({ deliveryAddress, discountCode }) =>
      quote(deliveryAddress ? (discountCode ? discounted : of) : { ...open, discount: null }),
    placing,
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
    name: 'checkout with a total',
    as: 'customer',
    path: '/checkout',
    provoke: priced(
      whole,
      refuse(409, 'total_changed', 'The total changed from $35.95 to $40.01', {
        quote: { ...discounted, total: 40.01 },
      }),
    ),
    act: enterCode,
    expected: /409/,
    labels: [
      heading('Checkout'),
      heading('Shipping Address'),
      radio(/12 Market Street/),
      radio('Add a new address'),
      heading('Cart Summary'),
      text(/· Quantity: \d+$/),
      text('Subtotal'),
      heading('Delivery'),
      radio(/^Standard/),
      radio(/^Express/),
      text('Free over $60'),
      button('Add delivery instructions'),
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
    opens: [
      {
        name: 'a total that changed',
        act: press('Place Order'),
        labels: [text('The total changed from $35.95 to $40.01'), text('$40.01')],
      },
    ],
  },
  {
    name: 'checkout where no method serves',
    as: 'customer',
    path: '/checkout',
    provoke: priced(notServed),
    act: chooseAddress,
    labels: [
      text("We don't ship to Georgia yet"),
      text(/Choose another address, or/),
      text('Not available in Georgia'),
      button('Place Order'),
    ],
  },
];
