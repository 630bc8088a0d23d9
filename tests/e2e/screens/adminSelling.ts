import { all, answer, cells, listOf, orderId } from './adminAnswers';
import { button, columns, field, heading, label, link, onPage, press, radio, text, type Screen } from './screen';

const discounts = /\/api\/admin\/discounts\?/;
const oneDiscount = /\/api\/admin\/discounts\/[\da-f-]{36}$/;
const reports = /\/api\/admin\/reports\//;

const code = (name: string, facts: object) => ({
  id: orderId.replace(
    /.{12}$/,
    name
      .padEnd(12, '0')
      .toLowerCase()
      .replace(/[^a-f\d]/g, '0')
      .slice(0, 12),
  ),
  code: name,
  kind: 'percent',
  percent: 10,
  amount: null,
  minimum: null,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerCustomer: null,
  categoryIds: null,
  note: '',
  isActive: true,
  createdAt: '2026-11-01T09:12:04.000Z',
  status: 'active',
  uses: 0,
  revenue: 0,
  ...facts,
});
const welcome = code('WELCOME10', { maxUses: 100, maxUsesPerCustomer: 1, uses: 12, revenue: 402.3 });
const codes = [
  welcome,
  code('KITCHEN5', { kind: 'amount', percent: null, amount: 5, minimum: 50, uses: 31, revenue: 2140.75 }),
  code('FREESHIP', {
    kind: 'free_delivery',
    percent: null,
    minimum: 30,
    endsAt: '2027-01-01T05:00:00.000Z',
    maxUses: 50,
    uses: 8,
    revenue: 391.6,
  }),
  code('WINTER', {
    kind: 'amount',
    percent: null,
    amount: 10,
    minimum: 80,
    startsAt: '2026-12-01T05:00:00.000Z',
    maxUses: 100,
    status: 'planned',
  }),
  code('YASSA15', {
    percent: 15,
    startsAt: '2026-11-01T04:00:00.000Z',
    endsAt: '2026-11-09T05:00:00.000Z',
    maxUses: 40,
    uses: 40,
    revenue: 1188.4,
    status: 'used_up',
  }),
  code('SPRING', { endsAt: '2026-06-01T04:00:00.000Z', maxUses: 200, uses: 64, revenue: 1904.1, status: 'ended' }),
  code('FRIENDS', {
    percent: 20,
    maxUsesPerCustomer: 1,
    maxUses: 25,
    uses: 3,
    revenue: 96.45,
    isActive: false,
    status: 'off',
  }),
];
const someCodes = answer(discounts, { discounts: listOf(...codes) });

const names = ['Afra Grill Rub', 'Vegetable Bouillon Powder', 'Benachin One-Pot Seasoning', 'Domoda Peanut Base'];
const figures = (net: number, facts: object = {}) => ({
  units: 742,
  goods: net,
  discounts: 0,
  delivery: 0,
  tax: 0,
  refunds: 0,
  net,
  ...facts,
});
const span = { from: '2025-12-01', to: '2026-11-22', today: '2026-11-22', timeZone: 'America/New_York' };
const sum = figures(58_800, { units: 1284, discounts: 823.2, delivery: 4044.6, tax: 1234.8, refunds: 352.8 });
const byProduct = {
  by: 'product',
  ...span,
  rows: Array.from({ length: 10 }, (_, place) => ({
    key: orderId.replace(/..$/, String(10 + place)),
    name: names[place] ?? `Spice ${place}`,
    ...figures(5938.46 - place * 310, { discounts: 82.58, tax: 122.14, refunds: place === 1 ? 20.85 : 0 }),
  })),
  totalRows: 15,
  namedRows: 13,
  sum,
};
const months = [
  'November',
  'October',
  'September',
  'August',
  'July',
  'June',
  'May',
  'April',
  'March',
  'February',
  'January',
];
const byMonth = {
  by: 'month',
  ...span,
  rows: [...months.map((name) => `${name} 2026`), 'December 2025'].map((name, place) => ({
    key: place < 11 ? `2026-${String(11 - place).padStart(2, '0')}` : '2025-12',
    name,
    ...figures(7400 - place * 390, {
      units: 156 - place * 8,
      discounts: 103.6,
      delivery: 491.4,
      tax: 155.4,
      refunds: 44.4,
    }),
  })),
  totalRows: 12,
  namedRows: 12,
  sum,
};
const nothing = { by: 'product', ...span, rows: [], totalRows: 0, namedRows: 0, sum: figures(0, { units: 0 }) };

const sales = (netSales: number, facts: object = {}) => ({
  units: 742,
  grossSales: netSales + 292,
  discounts: 103.6,
  returns: 188.4,
  netSales,
  delivery: 491.4,
  tax: 155.4,
  total: netSales + 646.8,
  costOfGoods: 2412.35,
  restockedCost: 61.2,
  grossProfit: netSales - 2412.35,
  unitsWithoutCost: 0,
  ...facts,
});
const ofSummary = { from: '2026-11-01', to: '2026-11-28', today: '2026-11-28', timeZone: 'America/New_York' };
const summary = {
  ...ofSummary,
  ...sales(6609.2, { unitsWithoutCost: 12 }),
  previous: { from: '2026-10-04', to: '2026-10-31', ...sales(5985.7) },
  by: 'product',
  totalRows: 13,
  rows: Array.from({ length: 10 }, (_, place) => ({
    key: orderId.replace(/..$/, String(10 + place)),
    name: names[place] ?? `Spice ${place}`,
    ...sales(1128.9 - place * 60, { costOfGoods: place === 1 ? null : 412.3, grossProfit: place === 1 ? null : 716.6 }),
  })),
};
const noSales = Object.fromEntries(Object.keys(sales(0)).map((name) => [name, 0]));
const emptySummary = { ...summary, ...noSales, previous: { ...summary.previous, ...noSales }, totalRows: 0, rows: [] };

/** Reports and discount codes of the back office. */
export const adminSelling: Screen[] = [
  {
    name: 'a report by product',
    as: 'owner',
    path: '/admin/reports',
    provoke: answer(reports, { report: byProduct }),
    labels: [
      heading('Reports'),
      button('Last 12 months'),
      button('Export CSV'),
      ...['Product', 'Category', 'Month', 'State'].map((name) => radio(name)),
      text(/Dec 1, 2025 – Nov 22, 2026/),
      heading('Net total by product'),
      text('Top 10 of 13'),
      label('img', 'main')('Net total by product, same figures as the table below'),
      ...columns('#', 'Product', 'Units', 'Gross sales', 'Discounts', 'Delivery', 'Tax', 'Refunds', 'Net total'),
      link('Afra Grill Rub'),
      text('1–10 of 15'),
      text("Delivery isn't tied to a product, so it's listed at the end."),
    ],
  },
  {
    name: 'a report by month',
    as: 'owner',
    path: '/admin/reports?report=month',
    provoke: answer(reports, { report: byMonth }),
    labels: [
      heading('Net total by month'),
      label('img', 'main')('Net total by month, same figures as the table below'),
      ...columns('Month', 'Orders', 'Gross sales', 'Discounts', 'Delivery', 'Tax', 'Refunds', 'Net total'),
      link('November 2026'),
      text('so far'),
      link('December 2025'),
      ...cells('Total', '1,284'),
    ],
  },
  {
    name: 'a report of a period without orders',
    as: 'owner',
    path: '/admin/reports?period=today',
    provoke: answer(reports, { report: nothing }),
    labels: [button('Today'), text('No paid orders in this period.')],
  },
  {
    name: 'the sales summary',
    as: 'owner',
    path: '/admin/reports/summary',
    provoke: answer(reports, { summary }),
    labels: [
      heading('Reports'),
      button('This month'),
      button('Export CSV'),
      ...['Sales summary', 'Revenue', 'Sales tax'].map((name) => link(name)),
      text('Nov 1 – 28, 2026, paid orders'),
      heading('Sales summary'),
      ...['Gross sales', 'Discounts', 'Returns', 'Delivery'].map((name) => label('rowheader', 'main')(name)),
      ...cells('$6,901.20', '−$103.60', '−$188.40', '$6,609.20', '$7,256.00', '+10.4%'),
      heading('Gross profit'),
      text('63.5% margin, 59.7% in the period before'),
      text(/12 units without a cost, so gross profit isn't exact\./),
      link('Set unit costs'),
      ...['Product', 'Category', 'State', 'Code', 'Month', 'Day', 'Sales', 'Gross profit'].map((name) => radio(name)),
      heading('Sales by product'),
      button('CSV'),
      ...columns('Product', 'Units', 'Net sales', 'Total'),
      link('Afra Grill Rub'),
      text('1–10 of 13'),
    ],
  },
  {
    name: 'gross profit by product',
    as: 'owner',
    path: '/admin/reports/summary?show=profit&period=lastMonth',
    provoke: answer(reports, { summary }),
    labels: [
      button('Last month'),
      heading('Gross profit by product'),
      ...columns('Product', 'Units', 'Net sales', 'Cost of sales', 'Margin'),
      ...cells('−$412.30', '$716.60', '—'),
    ],
  },
  {
    name: 'the sales summary of a period without orders',
    as: 'owner',
    path: '/admin/reports/summary?period=today',
    provoke: answer(reports, { summary: emptySummary }),
    labels: [button('Today'), text('No paid orders in this period.')],
  },
  {
    name: 'discount codes',
    as: 'owner',
    path: '/admin/discounts',
    provoke: someCodes,
    labels: [
      heading('Discounts'),
      link('Add code'),
      field('Search codes'),
      button('Status'),
      button('This year'),
      button('Export CSV'),
      ...columns('Code', 'Discount', 'Requirements', 'Used', 'Revenue', 'Status'),
      link('WELCOME10'),
      ...cells('10% off', 'Free delivery', '12 of 100', '$402.30', '$30.00 minimum, until Dec 31, 2026'),
      ...cells('Scheduled', 'Limit reached', 'Ended', 'Nov 1 to Nov 8, 2026', '1–7 of 7'),
    ],
    opens: [
      {
        name: 'the menu of a discount code',
        act: press('More actions for WELCOME10'),
        labels: onPage('menuitem', 'Edit code', 'View Orders', 'Deactivate'),
      },
    ],
  },
  {
    name: 'a new discount code',
    as: 'owner',
    path: '/admin/discounts/new',
    act: async (page) => {
      await page.getByLabel('Code', { exact: true }).fill('WELCOME10');
      await page.getByLabel('Percent', { exact: true }).fill('10');
      await page.getByLabel('Total uses', { exact: true }).fill('100');
      await page.getByLabel('Uses per customer', { exact: true }).fill('1');
    },
    labels: [
      heading('Add code'),
      link('Back'),
      button('Generate code'),
      radio('Percentage'),
      radio('Fixed amount'),
      radio('Free delivery'),
      ...[
        'Percent',
        'Applies to',
        'Minimum purchase',
        'Total uses',
        'Uses per customer',
        'Start date',
        'End date',
        'Note',
      ].map((name) => field(name)),
      heading('What customers see'),
      ...cells('WELCOME10 −$3.18', '$31.80', 'On second use: "You\'ve already used that code"'),
      field('Active'),
      button('Save'),
      link('Cancel'),
    ],
    opens: [
      {
        name: 'a new discount code that is wrong',
        act: async (page) => {
          await page.getByLabel('Fixed amount').check();
          await page.getByLabel('Applies to').selectOption('Specific categories');
          await press('Save')(page);
        },
        labels: cells('Enter an amount, such as 5.00', 'Choose at least one category'),
      },
    ],
  },
  {
    name: 'a discount code that was used',
    as: 'owner',
    path: `/admin/discounts/${orderId}`,
    provoke: all(answer(oneDiscount, { discount: { ...welcome, id: orderId } })),
    labels: [
      heading('Edit code'),
      link('View 12 orders'),
      ...cells(
        "This code has been used, so its name can't change",
        "This code has been used, so its discount type can't change",
      ),
    ],
  },
];
