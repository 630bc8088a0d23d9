/** The emails to staff about orders and stock. */
import { asc, count, eq, inArray, sum } from 'drizzle-orm';
import { countOf } from '../../shared/counts';
import { formatMoney } from '../../shared/money';
import { nameWithSize } from '../../shared/sizes';
import { orderItems, orders, products } from '../db/schema/tables';
import type { MailRow } from '../mail/outbox';
import { beginningOf, type EmailContent, type EmailParts } from '../mail/render';
import { readShopSettings } from '../settings/service';
import { isLow, type DailyOrders } from './dailyMails';
import { isStaff } from './service';

export async function newOrderEmail(mail: MailRow, parts: EmailParts): Promise<EmailContent | undefined> {
  const { db, publicUrl, sender } = parts;
  if (!(await isForStaff(mail, parts))) return undefined;
  const [order] = await db
    .select()
    .from(orders)
    .where(eq(orders.id, mail.orderId ?? ''));
  if (!order) return undefined;
  const items = await db
    .select()
    .from(orderItems)
    .where(eq(orderItems.orderId, order.id))
    .orderBy(asc(orderItems.position));
  const rows = items.map((item) => ({
    label: `${item.quantity} × ${nameWithSize(item, sender.units)}`,
    amount: formatMoney(item.totalCents),
  }));
  const units = items.reduce((all, { quantity }) => all + quantity, 0);
  const total = formatMoney(order.totalCents);
  return {
    subject: `New order #${order.orderNumber}, ${total}`,
    preheader: beginningOf(rows.map(({ label }) => label).join(', ')),
    paragraphs: [`${order.customer} ordered ${countOf(units, 'item')}. Ship to ${order.city}, ${order.state}.`],
    table: { rows, total: { label: 'Total', amount: total } },
    action: { label: 'View order', url: `${publicUrl.origin}/admin/orders/${order.id}` },
    why: 'staff',
  };
}

/** `facts` has the first orders, their number, and their sum. */
export async function dailyOrdersEmail(mail: MailRow, parts: EmailParts): Promise<EmailContent | undefined> {
  const { db, publicUrl } = parts;
  if (!(await isForStaff(mail, parts))) return undefined;
  const facts = mail.facts as DailyOrders;
  const listed = await db
    .select()
    .from(orders)
    .where(inArray(orders.id, facts.orderIds))
    .orderBy(asc(orders.paidAt), asc(orders.id));
  const rows = listed.map(({ orderNumber, customer, totalCents }) => ({
    label: `#${orderNumber} ${customer}`,
    amount: formatMoney(totalCents),
  }));
  const others = facts.orders - listed.length;
  const othersCents = facts.totalCents - listed.reduce((all, { totalCents }) => all + totalCents, 0);
  if (others > 0) rows.push({ label: countOf(others, 'more order'), amount: formatMoney(othersCents) });
  const total = formatMoney(facts.totalCents);
  return {
    subject: `${countOf(facts.orders, 'new order')}, ${total}`,
    preheader: beginningOf(`From ${listed.map(({ customer }) => customer).join(', ')}`),
    paragraphs: ['These orders were paid since the last daily email.'],
    table: { rows, total: { label: 'Total', amount: total } },
    action: { label: 'View orders', url: `${publicUrl.origin}/ordered/products` },
    why: 'staff',
  };
}

/** How many products an email lists; it counts the others. */
const productsListed = 50;

export async function lowStockEmail(mail: MailRow, parts: EmailParts): Promise<EmailContent | undefined> {
  const { db, publicUrl, sender } = parts;
  if (!(await isForStaff(mail, parts))) return undefined;
  const { lowStockThreshold } = await readShopSettings(db);
  const low = isLow(lowStockThreshold);
  const [all] = await db
    .select({ products: count(), units: sum(products.quantity).mapWith(Number) })
    .from(products)
    .where(low);
  if (!all?.products) return undefined; // restocked since
  const listed = await db
    .select()
    .from(products)
    .where(low)
    .orderBy(asc(products.quantity), asc(products.name), asc(products.id))
    .limit(productsListed);
  const rows = listed.map(({ name, quantity, ...size }) => ({
    label: nameWithSize({ ...size, productName: name }, sender.units),
    amount: String(quantity),
  }));
  const others = all.products - listed.length;
  const othersUnits = all.units - listed.reduce((units, { quantity }) => units + quantity, 0);
  if (others > 0) rows.push({ label: countOf(others, 'more product'), amount: String(othersUnits) });
  return {
    subject: `${countOf(all.products, 'product is', 'products are')} low on stock`,
    preheader: beginningOf(rows.map(({ label }) => label).join(', ')),
    paragraphs: [`${countOf(all.products, 'product has', 'products have')} ${lowStockThreshold} or fewer in stock.`],
    table: { rows, total: { label: 'Units in stock', amount: String(all.units) } },
    action: { label: 'View products', url: `${publicUrl.origin}/products?lowStock=true` },
    why: 'staff',
  };
}

const isForStaff = ({ userId }: MailRow, { db }: EmailParts) => (userId === null ? false : isStaff(db, userId));
