/** What the pages of lists say, and how they read and write numbers. Rule: docs/rules/kitchen.md, Screens */
import { countOf } from './counts';
import { type ListItem, listLimits, toTenths } from './lists';

export const listPageMessages = {
  title: 'My lists',
  none: 'No lists yet.',
  whatFor: 'A list says what should be on your shelf. Count it, and order what is missing with one press.',
  newList: 'New list',
  saveCart: 'Save cart as list',
  emptyList: 'Nothing on this list.',
  addProduct: 'Add product',
  addToList: 'Add to list',
  count: 'Count',
  orderToPar: 'Order to par',
  addAll: 'Add all to cart',
  everythingAtPar: 'Everything is at par.',
  nothingBelow: 'Nothing is below par.',
  putBack: 'Put back',
  rounded: 'Halves are rounded up to whole packs.',
  onThisDevice: 'Saved on this device.',
  install: 'Install to keep your lists: this browser may delete them after 7 days without a visit.',
  screenStaysOn: 'Screen stays on',
  screenSleeps: 'This browser lets the screen sleep',
  offline: 'Offline, saved here',
  unsaved: 'Offline, not saved',
  notCounted: 'Not counted',
  notFailed: 'Failed to load your lists',
  /** For screen readers, in place of the dash. */
  noNumber: 'not counted',
  products: (count: number) => countOf(count, 'product'),
  packs: (count: number) => countOf(count, 'pack'),
  belowPar: (count: number) => `${count} below par`,
  inYourCart: (packs: number) => `${packs} in cart`,
  onTheirWay: (packs: number) => `${packs} on the way`,
  toOrder: (products: number) => `To order ${products}`,
  viewCart: 'View cart',
  missing: (packs: number) => `${countOf(packs, 'pack')} missing`,
  noPar: (names: readonly string[]) => `No par is set for ${names.join(', ')}.`,
  addThese: (products: number) => `Add ${countOf(products, 'product')} to cart`,
  isOnList: (product: string, list: string) => `${product} is on ${list}`,
  counts: (changes: number) => `${countOf(changes, 'change')} of it ${changes === 1 ? 'was' : 'were'} not kept`,
} as const;

/** @returns whether less is there than should be; a product that was not counted may have enough */
export const isBelowPar = ({ par, onHand }: Pick<ListItem, 'par' | 'onHand'>): boolean =>
  par !== null && onHand !== null && toTenths(onHand) < par * 10;

/** @returns whole packs that are missing of a counted product, whatever is in the cart or on its way */
export const packsBelowPar = ({ par, onHand }: Pick<ListItem, 'par' | 'onHand'>): number =>
  par === null || onHand === null ? 0 : Math.max(0, Math.ceil((par * 10 - toTenths(onHand)) / 10));

/** @returns '0.5'; a dash for what was not counted or set */
export const numberText = (value: number | null): string => (value === null ? '–' : String(value));

/**
 * What was typed into a field of the sheet.
 * @param decimals how many may stand after the point
 * @returns null for nothing and for a dash; undefined for what is no such number
 */
export function numberTyped(text: string, decimals: 0 | 1): number | null | undefined {
  const plain = text.trim().replace(',', '.');
  if (plain === '' || plain === '–' || plain === '-') return null;
  const isNumber = (decimals === 1 ? /^\d{1,3}(?:\.\d?)?$|^\.\d$/ : /^\d{1,3}$/).test(plain);
  return isNumber ? Math.min(Number(plain), listLimits.onHand) : undefined;
}

/** What a key of the number pad, or of a keyboard, does to a count. */
export type PadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '.' | 'erase';

/**
 * A count as it is entered.
 * @param entered the digits of this entry so far; undefined before the first, which replaces what was there
 * @returns the digits after the key; '' when all were erased
 */
export function withKey(entered: string | undefined, key: PadKey, before: string): string {
  const text = entered ?? '';
  if (key === 'erase') return (entered ?? before.replace('–', '')).slice(0, -1);
  if (key === '.') return text.includes('.') ? text : `${text || '0'}.`;
  if (/\.\d$/.test(text)) return text; // one decimal
  if (text === '0') return key;
  return Number(text + key) > listLimits.onHand ? text : text + key;
}

/** @returns one more or one less, and never less than nothing; a first press counts from nothing */
export const stepped = (value: number | null, step: 1 | -1): number =>
  Math.min(listLimits.onHand, Math.max(0, (toTenths(value ?? 0) + 10 * step) / 10));

/** How long a count is of today's round: after it a list is counted anew from the top. */
export const roundMs = 4 * 60 * 60 * 1000;

/** @returns the place of the first product that this round has not counted; 0 when it has counted all */
export function firstUncounted(items: readonly Pick<ListItem, 'onHand' | 'countedAt'>[], now: number): number {
  const isOpen = ({ onHand, countedAt }: Pick<ListItem, 'onHand' | 'countedAt'>) =>
    onHand === null || countedAt === null || now - Date.parse(countedAt) > roundMs;
  return Math.max(0, items.findIndex(isOpen));
}
