/** Describes an audit log entry in words. Old entries must keep reading the same. Rule: docs/rules/back-office.md, Audit log */
import { roleLabels } from './usersAccount';
import { messageStateLabels } from './contact';
import { countOf, formatCount } from './counts';
import { formatMoney } from './money';
import { statusLabels } from './orders';
import { alarmLabels } from './ordersStaff';
import { factInWords } from './productTexts';
import { type Carrier, carrierLabels } from './parcels';
import { columnOf, productFieldNames, productFields, type ProductField } from './productFields';
import { factLabelOf, settingFields, settingNames, type SettingField, type SettingName } from './settingFields';
import { settingInWords } from './settingTexts';
import { newOrderLabels } from './staffMails';

type Facts = Readonly<Record<string, unknown>>;
type AuditFacts = { action: string; before: Facts; after: Facts };

/** Context that an entry does not contain itself. */
type AuditWordsContext = {
  /** The names of categories and order items, by id. */
  names: ReadonlyMap<string, string>;
  /** The shop's time zone. */
  timeZone: string;
};

/** Replaces a value that is personal data in the log. */
export const notRecorded = '(not kept)';

/** @returns one line per change: 'Price $3.65 to $4.02' */
export function changesInWords({ action, before, after }: AuditFacts, context: AuditWordsContext): string[] {
  const special = entrySentences[action]?.(after, context);
  if (special !== undefined) return [special];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const fact = factOf(name, action);
    if (!fact) return [];
    const words = (values: Facts) => (name in values ? textOf(fact, values[name], context) : undefined);
    return changeOf(fact.label, words(before), words(after));
  });
}

const none = '';

/** @param was undefined: not recorded in the entry; empty: there was no value */
function changeOf(label: string, was: string | undefined, is: string | undefined): string[] {
  if ([was, is].includes(notRecorded)) return [`${label} changed (hidden for privacy)`];
  if (was === undefined) return is ? [`${label} ${is}`] : [];
  if (is === undefined) return was ? [`${label} was ${was}`] : [];
  if (was === none) return is === none ? [] : [`${label} set to ${is}`];
  return [is === none ? `${label} removed, was ${was}` : `${label} ${was} to ${is}`];
}

type Words = (value: never, context: AuditWordsContext) => string;
type Fact = { label: string; words: Words };

/** Actions described by a sentence instead of a list of fields. */
const entrySentences: Readonly<Record<string, (after: Facts, context: AuditWordsContext) => string | undefined>> = {
  'order.parcel_created': ({ carrier, lines }, { names }) => {
    if (!Array.isArray(lines)) return undefined;
    const units = (lines as Facts[]).map(
      ({ orderItemId, quantity }) => `${Number(quantity)} × ${names.get(String(orderItemId)) ?? 'an item'}`,
    );
    return `Shipped ${units.join(', ')} with ${carrier === 'other' ? 'another carrier' : carrierLabels[carrier as Carrier]}`;
  },
  'order.refund_asked': ({ amountCents, deliveryCents, lines, restock }, { names }) => {
    if (typeof amountCents !== 'number') return undefined;
    const parts = (Array.isArray(lines) ? (lines as Facts[]) : []).map(
      ({ orderItemId, quantity, restock: isRestocked }) =>
        `${Number(quantity)} × ${names.get(String(orderItemId)) ?? 'an item'}${isRestocked ? ' (restocked)' : ''}`,
    );
    if (typeof deliveryCents === 'number' && deliveryCents > 0) parts.push(`delivery ${formatMoney(deliveryCents)}`);
    if (restock === true) parts.push('all items restocked');
    return `Refunded ${formatMoney(amountCents)}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
  },
  'product.imported': ({ created, changed }) => {
    const [added, updated] = [Number(created), Number(changed)];
    const parts = [added > 0 && `${formatCount(added)} new`, updated > 0 && `${formatCount(updated)} updated`];
    return `Imported ${countOf(added + updated, 'product')}: ${parts.filter(Boolean).join(', ')}`;
  },
  'import.undone': ({ created, changed }) => {
    const parts = [Number(created) > 0 && `${countOf(Number(created), 'product')} deleted`];
    if (Number(changed) > 0) parts.push(`${countOf(Number(changed), 'product')} changed back`);
    return parts.filter(Boolean).join(', ');
  },
  'product.sizes_changed': ({ sizeGroup }) =>
    sizeGroup === null ? 'No longer a size of other products' : 'Now a size of other products',
  'user.sessions_ended': ({ ended }) =>
    typeof ended === 'number' ? `${countOf(ended, 'device')} logged out` : undefined,
};

/** @returns undefined for a field that is not shown */
function factOf(name: string, action: string): Fact | undefined {
  if (name in factsByAction) return factsByAction[name]?.(action);
  if (name in facts) return facts[name] ?? undefined;
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return { label: words.charAt(0).toUpperCase() + words.slice(1), words: plain };
}

const longest = 120;
const short = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);
const quoted: Words = (value: unknown) => `"${short(String(value))}"`;
const plain: Words = (value: unknown) => short(typeof value === 'string' ? value : JSON.stringify(value));
const count: Words = (value: unknown) => formatCount(Number(value));
const money: Words = (cents: unknown) => formatMoney(Number(cents));
const percent: Words = (value: unknown) => `${Number(value)}%`;
const either =
  (yes: string, no: string): Words =>
  (value: unknown) =>
    value === true ? yes : no;
const oneOf =
  (labels: Readonly<Record<string, string>>): Words =>
  (value: unknown) =>
    labels[String(value)] ?? String(value);
const list: Words = (values: unknown) => short([values].flat().join(', '));
const category = (id: unknown, { names }: AuditWordsContext) => names.get(String(id)) ?? 'a deleted category';
const time: Words = (value: unknown, { timeZone }: AuditWordsContext) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(String(value)),
  );

const wordsOfField = (field: ProductField): Words => {
  if (field.kind === 'money') return money;
  if (field.kind === 'flag') return either(...field.words);
  if (field.kind === 'level') return (level: number) => `${level} of ${field.most}`;
  if (field.kind === 'list') return list;
  return field.kind === 'text' ? quoted : (value: unknown) => factInWords(field, String(value));
};
const productFacts = Object.fromEntries(
  productFieldNames.map((name) => {
    const field = productFields[name];
    return [columnOf(name), { label: field.label, words: wordsOfField(field) }];
  }),
);

const wordsOfSetting = (field: SettingField): Words => {
  if (field.kind === 'number') return count;
  if (field.kind === 'text' || field.kind === 'lines')
    return (text: string) => (text === none ? none : `"${short(text)}"`);
  if (field.kind === 'choice') return (value: unknown) => settingInWords(field, value).toLowerCase();
  if (field.kind !== 'flag') return plain;
  const [yes, no] = field.words;
  return either(yes.toLowerCase(), no.toLowerCase());
};
const settingFacts = Object.fromEntries(
  settingNames.map((name) => [name, { label: factLabelOf(name), words: wordsOfSetting(settingFields[name]) }]),
) as Record<SettingName, Fact>;

/** Labels of fields by their names in the log; null: not shown. */
const facts: Readonly<Record<string, Fact | null>> = {
  ...productFacts,
  ...settingFacts,
  name: { label: 'Name', words: quoted },
  title: { label: 'Title', words: quoted },
  description: { label: 'Description', words: quoted },
  note: { label: 'Note', words: quoted },
  reason: { label: 'Reason', words: quoted },
  code: { label: 'Code', words: plain },
  amountCents: { label: 'Amount', words: money },
  minimumCents: { label: 'Minimum purchase', words: money },
  freeFromCents: { label: 'Free over', words: money },
  percent: { label: 'Percent', words: percent },
  rate: { label: 'Rate', words: percent },
  quantity: { label: 'Quantity', words: count },
  maxUses: { label: 'Total uses', words: count },
  maxUsesPerCustomer: { label: 'Uses per customer', words: count },
  position: { label: 'Position in the list', words: (position: number) => String(position + 1) },
  taxesDelivery: { label: 'Tax on delivery', words: either('yes', 'no') },
  markdown: { label: 'Text', words: quoted },
  isPublished: { label: 'Published', words: either('yes', 'no') },
  isActive: { label: 'Active', words: either('yes', 'no') },
  isEnabled: { label: 'Account', words: either('Active', 'Inactive') },
  isRequired: settingFacts.secondFactorOfStaff,
  states: { label: 'States', words: list },
  categoryId: { label: 'Category', words: category },
  categoryIds: {
    label: 'Categories',
    words: (ids: string[], context) => ids.map((id) => category(id, context)).join(', '),
  },
  newOrder: { label: 'New orders', words: oneOf(newOrderLabels) },
  lowStock: { label: 'Low stock', words: either('on', 'off') },
  newMessage: { label: 'New messages', words: either('on', 'off') },
  role: { label: 'Role', words: oneOf(roleLabels) },
  status: { label: 'Status', words: oneOf(statusLabels) },
  state: { label: 'Status', words: oneOf(messageStateLabels) },
  startsAt: { label: 'Starts', words: time },
  endsAt: { label: 'Ends', words: time },
  heldUntil: { label: 'Reserved until', words: time },
  shipmentTrackingUrl: { label: 'Tracking link', words: plain },
  trackingUrl: { label: 'Tracking link', words: plain },
  carrier: { label: 'Carrier', words: oneOf(carrierLabels) },
  fullName: { label: 'Full name', words: plain },
  dob: { label: 'Date of birth', words: plain },
  // shown by the action itself, or an id
  text: null,
  archivedAt: null,
  isArchived: null,
  pictureHash: null,
  uploadId: null,
  refundId: null,
  userId: null,
};

/** Names whose meaning depends on the action. */
const factsByAction: Readonly<Record<string, (action: string) => Fact>> = {
  kind: (action) =>
    action.startsWith('alarm.')
      ? { label: 'Alert', words: oneOf(alarmLabels) }
      : { label: 'Discount type', words: oneOf({ percent: 'Percent', amount: 'Fixed amount' }) },
};

function textOf({ words }: Fact, value: unknown, context: AuditWordsContext): string {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return none;
  return value === notRecorded ? notRecorded : words(value as never, context);
}
