import { statesOf } from '../../../src/shared/usStates';
import { all, answer, listOf } from './adminAnswers';
import { button, columns, field, heading, link, onPage, press, text, type Screen } from './screen';

const methods = /\/api\/admin\/delivery-methods/;
const rates = /\/api\/admin\/tax-rates\?/;
const collected = /\/api\/admin\/tax-rates\/collected\?/;

const method = (id: number, name: string, facts: object) => ({
  id: `2b7e9c14-5d83-4f06-a1c9-8e3d6f0b7a5${id}`,
  name,
  description: '',
  price: 0,
  freeFrom: null,
  states: ['GA'],
  position: id,
  isActive: true,
  ...facts,
});
const someMethods = answer(methods, {
  deliveryMethods: listOf(
    method(0, 'Standard', {
      description: '3–5 business days',
      price: 5.95,
      freeFrom: 60,
      states: statesOf({}).filter((state) => state !== 'AK' && state !== 'HI'),
    }),
    method(1, 'Express', {
      description: 'Next working day',
      price: 14.95,
      states: ['AL', 'FL', 'GA', 'NC', 'SC', 'TN'],
    }),
    method(2, 'By air', { description: '6 to 10 working days', price: 12.5, freeFrom: 120, states: ['AK'] }),
    method(3, 'Collect at the shop', { description: 'Ready the next working day', isActive: false }),
  ),
});
const someRates = answer(rates, {
  taxRates: listOf(
    { state: 'GA', rate: 4, taxesDelivery: true },
    { state: 'MD', rate: 6, taxesDelivery: true },
    { state: 'OH', rate: 5.5, taxesDelivery: true },
    { state: 'VA', rate: 4.3, taxesDelivery: false },
  ),
});
const collecting = (state: string, rate: number, sums: object) => ({ state, rates: [rate], exempt: 0, ...sums });
const noTax = { taxable: 0, taxed: 0, rates: [], tax: 0, refunded: 0, toRemit: 0 };
const notCollecting = (state: string, orders: number, gross: number) => ({
  state,
  orders,
  gross,
  exempt: gross,
  ...noTax,
});
const georgia = { orders: 38, gross: 1546.2, exempt: 133.6, taxable: 1412.6, taxed: 1412.6 };
const ohio = { orders: 21, gross: 803.15, taxable: 803.15, taxed: 803.15 };
const someCollected = answer(collected, {
  collected: [
    collecting('GA', 4, { ...georgia, tax: 56.5, refunded: 1.14, toRemit: 55.36 }),
    collecting('OH', 5.75, { ...ohio, tax: 46.18, refunded: 0, toRemit: 46.18 }),
    notCollecting('TX', 24, 1214.55),
    notCollecting('NY', 19, 1012.4),
    notCollecting('CA', 12, 840.05),
    notCollecting('DC', 2, 61.5),
  ],
});

/** What the owner sets for the total of orders. */
export const adminDelivery: Screen[] = [
  {
    name: 'the delivery methods',
    as: 'owner',
    path: '/admin/delivery',
    provoke: someMethods,
    labels: [
      heading('Delivery'),
      heading('Delivery methods'),
      link('Settings'),
      ...['Add method', 'Standard', 'Express', 'By air', 'Collect at the shop', 'More actions for Standard'].map(
        button,
      ),
      ...columns('Name', 'States', 'Price', 'Free over', 'Available'),
      ...['48 states and DC', 'All but Alaska and Hawaii', 'AL, FL, GA, NC, SC, TN', '$5.95', '$60.00', 'Free'].map(
        text,
      ),
      text(/No delivery method covers Hawaii\. At checkout, customers there see "We don't ship to Hawaii yet"\./),
    ],
    opens: [
      {
        name: 'a delivery method',
        act: (page) => page.getByRole('button', { name: 'Express', exact: true }).click(),
        labels: [
          ...onPage('heading', 'Delivery method'),
          ...onPage('field', 'Name', 'Delivery time', 'Price', 'Free over', 'Find a state', 'Georgia'),
          ...onPage('text', '6 selected', 'Based on the subtotal after discounts. Leave blank for never.'),
          ...onPage('switch', 'Available at checkout'),
          ...onPage('button', 'Cancel', 'Save', 'Select all states', 'Select none of the states'),
        ],
      },
    ],
  },
  {
    name: 'the sales tax',
    as: 'owner',
    path: '/admin/tax',
    provoke: all(someRates, someCollected),
    act: (page) => page.getByLabel('Tax rate for Ohio in percent').fill('5.75'),
    labels: [
      heading('Sales tax'),
      heading('Tax rates by state'),
      heading('Tax collected'),
      field('Search states'),
      field('Tax rate for Georgia in percent'),
      ...['Collecting in 4 states', '1 change: Ohio 5.5% to 5.75%', '1–10 of 51', '$1,412.60', 'All states'].map(text),
      ...['Undo', 'Save', 'Collecting'].map(button),
      ...columns('State', 'Rate', 'Tax on delivery', 'Orders', 'Taxable sales', 'Tax', 'Refunded').slice(1),
      link('38 orders in Georgia'),
      link('All states'),
    ],
  },
  {
    name: 'the sales tax of each state',
    as: 'owner',
    path: '/admin/reports/tax?period=custom&from=2026-11-01&to=2026-11-28',
    provoke: someCollected,
    labels: [
      heading('Reports'),
      heading('By state'),
      link('Revenue'),
      link('Sales tax'),
      button('Export CSV'),
      button('Show all states'),
      ...columns('Orders', 'Gross', 'Exempt', 'Taxable', 'Rate', 'Tax', 'Refunded', 'To remit'),
      ...['Sales in all states', '116 orders, with delivery', 'Tax collected', '−$1.14 refunded', '2 states'].map(text),
      ...['2 other states', 'Not collecting', '4%', 'Nov 1 – 28, 2026, paid orders'].map(text),
      link('38 orders in Georgia'),
    ],
    opens: [
      {
        name: 'the sales tax of all states',
        act: press('Show all states'),
        labels: [text('California'), text('District of Columbia')],
      },
    ],
  },
  {
    name: 'the sales tax of a period without orders',
    as: 'owner',
    path: '/admin/reports/tax?period=today',
    provoke: answer(collected, { collected: [] }),
    labels: [heading('Reports'), text('No paid orders in this period.')],
  },
];
