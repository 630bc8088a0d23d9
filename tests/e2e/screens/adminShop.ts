import {
  alarms,
  all,
  answer,
  cells,
  chosenPath,
  dashboard,
  fullOrder,
  orderId,
  someHolds,
  someMessages,
  packing,
  partlyShipped,
  someOrders,
} from './adminAnswers';
import { button, columns, field, heading, label, link, onPage, press, text, type Screen } from './screen';

/** The figures and the orders of the back office. */
export const adminShop: Screen[] = [
  {
    name: 'the dashboard',
    as: 'owner',
    path: '/dashboard?period=year',
    provoke: all(answer(/\/api\/admin\/dashboard/, { dashboard }), someMessages, alarms),
    act: (page) => page.getByText('Show as a table').click(),
    labels: [
      heading('Dashboard'),
      button('This year'),
      ...cells('Revenue', 'Expenses', 'Sales', '$58,800.00', '$35,400.00', '1,284'),
      ...cells('Net sales', '$53,520.60', 'Gross profit', '$33,940.20'),
      link('View paid orders for Revenue'),
      heading('Needs attention'),
      button('Resolve'),
      heading('Revenue and expenses'),
      label('img', 'main')('Revenue and expenses by month'),
      label('rowheader', 'main')('January 2026'),
      heading('Recent Messages'),
      link(/^View messages/),
      link('Lamin Touray'),
      ...onPage('text', /^Welcome,/),
    ],
    opens: [
      {
        name: 'the open account menu of the back office',
        act: press('Account'),
        labels: onPage('menuitem', 'Shop', 'View Profile', 'Logout'),
      },
    ],
  },
  {
    name: 'the dashboard without costs and messages',
    as: 'owner',
    path: '/dashboard',
    labels: [
      heading(/^Go live: \d+ of \d+ done$/),
      link('All steps'),
      text('Customers still see the sample contact info: hello@example.com, (555) 010-0142'),
      link('Update contact info'),
      button('Last 30 days'),
      ...cells('$0.00', 'Expenses', '—'),
      link('Set unit costs'),
      heading('Revenue over time'),
      text('No messages yet'),
    ],
    opens: [
      {
        name: 'a custom period',
        act: async (page) => {
          await press('Last 30 days')(page);
          await page.getByRole('menuitemradio', { name: 'Custom' }).click();
        },
        labels: [...onPage('dialog', 'Custom dates'), ...onPage('field', 'Start date', 'End date')],
      },
    ],
  },
  {
    name: 'orders for staff',
    as: 'owner',
    path: '/ordered/products?by=paid&days=2026-11-01_2026-11-20',
    provoke: someOrders,
    labels: [
      heading('Orders'),
      ...columns('Order ID', 'Order Date', 'Customer Name', 'Items', 'Delivery', 'Amount', 'Status'),
      field('Search orders'),
      button('Remove filter Date: Nov 1 – 20, 2026'),
      button('Export CSV'),
      button('Sound for new orders'),
      button('To ship 3'), // as many as the answer lists
      text(/^To ship$/),
      link('#100482'),
      link('Awa Ceesay'),
      ...cells('Nov 14, 2026', '$50.63', 'Paid', 'On Delivery', 'Delivered', '1–3 of 3'),
    ],
    opens: [
      {
        name: 'the forms of the file of orders',
        act: press('Export CSV'),
        labels: onPage('menuitem', 'One row per order', 'One row per product line'),
      },
      {
        name: 'the menu of an order',
        act: press('More actions for #100480'),
        labels: [
          ...onPage('text', 'Status'),
          ...onPage('menuitemradio', 'On Delivery', 'Delivered'),
          ...onPage('menuitem', 'View Order'),
        ],
      },
      {
        name: 'a step that an order cannot take, greyed with the reason',
        act: press('More actions for #100479'),
        labels: onPage('text', "This order is Delivered, so it can't be changed to On Delivery"),
      },
      {
        name: 'other days',
        act: async (page) => {
          await press('Remove filter Date: Nov 1 – 20, 2026')(page);
          await page.getByRole('button', { name: 'Date', exact: true }).click();
          await page.getByRole('menuitemradio', { name: 'Custom' }).click();
        },
        labels: [...onPage('dialog', 'Custom dates'), ...onPage('field', 'Start date', 'End date')],
      },
    ],
  },
  {
    name: 'an order for staff',
    as: 'owner',
    path: `/admin/orders/${orderId}`,
    provoke: all(fullOrder, alarms),
    labels: [
      link('Back to Orders'),
      heading('Order #100482'),
      heading('Items'),
      link('Afra Grill Rub'),
      ...cells(
        'Quantity: 2',
        'Discount (WELCOME10)',
        'Delivery (Standard)',
        'Sales tax (OH 5.75%)',
        'Order status',
        'Order date',
        'Total',
        'Ship to',
        '118 Linden Street, Apt 4',
        'Order placed',
      ),
      link('https://parcels.example.com/track/1042'),
      heading('Timeline'),
      button('Send again: Email not sent: Order confirmation'),
      ...cells('To awa@example.com', 'Package deleted', 'Refunded', 'Total after refunds'),
      text('Rings at the side door'),
      field('New note'),
      text("Paid, but can't be filled"),
      button('Refund'),
      button('Status'),
      button('Print'),
    ],
    opens: [
      {
        name: 'a refund, asking',
        act: press('Refund'),
        labels: [
          ...onPage('dialog', 'Refund'),
          ...onPage('button', 'Close', 'Increase'),
          ...onPage('field', 'Items', 'Restock Afra Grill Rub', 'Delivery', 'Reason', 'Note to customer'),
          ...onPage('text', '$46.13 of $50.63 left to refund'),
        ],
      },
      {
        name: 'canceling an order, asking',
        act: press('Cancel order'),
        labels: [
          ...onPage('dialog', 'Cancel order #100482?'),
          ...onPage('field', 'Reason', 'Note to customer'),
          ...onPage('button', 'Keep order'),
        ],
      },
      {
        name: 'a refund of another amount, asking',
        act: async (page) => {
          await press('Refund')(page);
          await page.getByText('Custom amount').click();
        },
        labels: [...onPage('dialog', 'Refund'), ...onPage('field', 'Amount', 'Reason')],
      },
      {
        name: 'the tracking link, asking',
        act: async (page) => {
          await press('Change tracking link')(page);
          await page.getByRole('textbox', { name: 'Tracking link' }).fill('http://parcels.example.com');
          await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        },
        labels: onPage('text', 'Enter a link that starts with https://'),
      },
    ],
  },
  {
    name: 'an order that was shipped in part, for staff',
    as: 'owner',
    path: `/admin/orders/${orderId}`,
    provoke: all(partlyShipped, alarms),
    labels: [
      heading('Order #100482'),
      text('Partially shipped'),
      ...cells('2 ordered, 1 shipped, 1 left to ship'),
      heading('Package 1'),
      ...cells('UPS 1Z 84F 29W 03 5518 2207', 'Package 1 shipped'),
      text(/by Musa Camara\. Customer not notified\./),
      link('Track package 1'),
      button('Edit tracking of package 1'),
      button('Print slip of package 1'),
      button('Delete package 1'),
      button('Ship items'),
    ],
    opens: [
      {
        name: 'a package, asking',
        act: press('Ship items'),
        labels: [
          ...onPage('dialog', 'Ship items'),
          ...onPage('button', 'Close', 'Decrease', 'Ship and print slip'),
          ...onPage(
            'field',
            'Afra Grill Rub',
            'Tracking number',
            'Carrier',
            'Email Awa that this package is on its way',
          ),
          ...onPage('text', 'of 1', 'This is the last package. The order becomes On Delivery.'),
        ],
      },
      {
        name: "a package's tracking, asking",
        act: async (page) => {
          await press('Edit tracking of package 1')(page);
          await page.getByLabel('Carrier').selectOption('other');
          await page.getByLabel('Tracking number', { exact: true }).fill('#1042');
          await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        },
        labels: [
          ...onPage('dialog', 'Edit tracking'),
          ...onPage('field', 'Tracking number', 'Tracking link', 'Email Awa the new tracking'),
          ...onPage('text', 'Use only letters, digits, spaces, and hyphens'),
        ],
      },
      {
        name: 'a refund of an order that was shipped in part',
        act: press('Refund'),
        labels: onPage('field', 'Refund shipped units first (1 shipped) Afra Grill Rub'),
      },
    ],
  },
  {
    name: 'a pick list',
    as: 'owner',
    path: chosenPath('pick-list'),
    provoke: packing,
    act: (page) => page.getByRole('checkbox', { name: 'Picked: Cumin Seeds' }).check(),
    labels: [
      link('Orders'),
      heading('Pick list'),
      link('Packing slips (2)'),
      button('Print pick list'),
      text("2 orders, 3 products, 8 units. Refunded and shipped units aren't included."),
      text('1 order has nothing left to ship: #100478 (Refunded).'),
      heading('Shelf A'),
      heading('No shelf'),
      ...columns('Shelf', 'Product', 'SKU', 'Pick', 'Orders'),
      field(/^Picked: Afra Grill Rub/),
      ...cells('A 02', 'Afra Grill Rub', 'AGR-110', '4006381333931', '5'),
      link('#100482,'),
      link('#100480'),
    ],
  },
  {
    name: 'packing slips of several orders',
    as: 'owner',
    path: chosenPath('packing-slips'),
    provoke: packing,
    labels: [
      link('Orders'),
      heading('Packing slips'),
      button('Print 3 packing slips'),
      text('1 order has nothing left to ship: #100478 (Refunded).'),
      text('1 order is already shipped: #100479 (Delivered). Its slip has what was shipped.'),
      label('article', 'main')('Packing slip for order 100482'),
      label('img', 'main')('Barcode of order 100482'),
      ...cells('Order #100480', 'Package 2', 'In this package', 'Shipped', 'Rest of this order', 'In package 1'),
      ...cells('118 Linden Street, Apt 4', 'Leave it at the side door'),
      text('Thank you, Awa! Something not right? Email hello@example.com.'),
    ],
  },
  {
    name: 'a pick list of no orders',
    as: 'owner',
    path: '/admin/orders/pick-list',
    labels: [heading('Pick list'), text('Choose orders in the list first.')],
  },
  {
    name: 'the holds',
    as: 'owner',
    path: '/admin/holds',
    provoke: someHolds,
    labels: [
      heading('Reserved stock'),
      ...columns('Customer', 'Order', 'Reserved', 'Items'),
      link('Awa Ceesay'),
      link('#100482'),
      ...cells(
        'awa@example.com',
        'New customer',
        'lamin@example.com',
        /^Since Nov 14/,
        'Releasing',
        /Afra Grill Rub/,
        '40 of 40',
      ),
      text('Over half of 3 products'),
      button('1 more'),
    ],
    opens: [
      {
        name: 'the menu of a hold',
        act: press('More actions for Awa Ceesay, order #100482'),
        labels: onPage('menuitem', 'View Reservation', 'Release Stock'),
      },
      {
        name: 'a hold, opened',
        act: press('1 more'),
        labels: [
          ...onPage('dialog', 'Stock reserved for Awa Ceesay'),
          ...onPage('text', '#100482, $640.50', 'Kani', '2 of 60', '95 %'),
          ...onPage('button', 'Close'),
        ],
      },
      {
        name: 'a hold that is to be ended',
        act: async (page) => {
          await press('More actions for Awa Ceesay, order #100482')(page);
          await page.getByRole('menuitem', { name: 'Release Stock' }).click();
        },
        labels: [
          ...onPage('alertdialog', 'Release the stock reserved for Awa Ceesay?'),
          ...onPage('text', /puts its items back in stock/),
          ...onPage('button', 'Release Stock'),
        ],
      },
    ],
  },
];
