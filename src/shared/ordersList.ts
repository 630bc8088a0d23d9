/** The list of all orders in the back office. Rule: docs/rules/back-office.md, Lists */
import { statusLabels } from './orders';
import { orderPeriodWords } from './ordersStaff';
import { daysFilter, isId, type StaffList } from './staffList';
import { findStateCode } from './usStates';

const areIds = (text: string) => text.split(',').every(isId) && text.split(',').length <= maxOrderIds;
const isPart = (text: string) => text === 'delivery' || text === 'none' || isId(text);

/** How many orders a link can name. The contract has the same limit. */
const maxOrderIds = 100;

/** Tracking numbers and payment ids are long, so a shorter search would find it in many of them by chance. */
export const minIdLength = 8;

export const ordersList = {
  call: 'listOrders',
  label: 'Orders',
  searchLabel: 'Search orders',
  searchHint: 'Number, name, email, product, SKU, street, tracking number, or payment ID',
  columns: {
    orderNumber: { label: 'Order ID', isSortable: true },
    createdAt: { label: 'Order Date', isSortable: true },
    customer: { label: 'Customer Name', isSortable: true },
    items: { label: 'Items', isFigure: true },
    deliveryName: { label: 'Delivery' },
    totalAmount: { label: 'Amount', isSortable: true, isFigure: true },
    status: { label: 'Status', isSortable: true },
  },
  filters: {
    status: { label: 'Status', values: statusLabels },
    days: daysFilter,
    by: { label: 'Date type', values: orderPeriodWords },
    // set by links from a customer's page, reports, discount codes and sales tax figures
    customer: { label: 'Customer', takes: isId },
    discount: { label: 'Discount code', takes: isId },
    product: { label: 'Product', takes: isPart },
    category: { label: 'Category', takes: isPart },
    state: { label: 'State', takes: (text) => /^[A-Z]{2}$/.test(text) },
    taxState: { label: 'Sales tax', takes: (text) => findStateCode(text) === text },
    // set by the chip with the number of orders to ship
    toShip: { takes: (text) => text === 'true', sends: () => ({ toShip: true }) },
    // chosen orders: also the rows of Ship orders
    ids: { takes: areIds, sends: (text) => ({ ids: text.split(',') }) },
  },
  file: {
    call: 'exportOrders',
    name: 'orders',
    loggedAs: 'orders',
    forms: [
      { label: 'One row per order', name: 'orders' },
      { label: 'One row per product line', name: 'order-lines', form: 'lines' },
    ],
    headers: {
      orderNumber: 'Order ID',
      createdAt: 'Order Date',
      customer: 'Customer Name',
      email: 'Email',
      street: 'Street',
      city: 'City',
      state: 'State',
      postalCode: 'ZIP code',
      totalAmount: 'Amount',
      refunded: 'Refunded',
      status: 'Status',
      paidAt: 'Paid',
      goods: 'Subtotal',
      discount: 'Discount',
      discountCode: 'Discount code',
      delivery: 'Delivery',
      deliveryName: 'Delivery method',
      tax: 'Tax',
      taxState: 'Tax state',
      taxRate: 'Tax rate',
      deliveryNote: 'Delivery instructions',
      company: 'Company',
      street2: 'Street line 2',
      phone: 'Phone',
    },
  },
} as const satisfies StaffList;
