/** Messages and number formats of the list pages. Rule: docs/rules/kitchen.md, Screens */
import { countOf } from './counts';
import { type ListItem, listLimits, listNameKey, toTenths } from './lists';

export const listPageMessages = {
  title: 'My lists',
  none: 'No lists yet',
  whatFor: "List what you keep on your shelf, count it, and reorder what's low in one tap.",
  newList: 'New list',
  saveCart: 'Save cart as list',
  saveOrder: 'Save as list',
  emptyList: 'This list is empty. Add your first product.',
  addProducts: 'Add products',
  filterByName: 'Filter by name',
  selectAll: 'Select all',
  selectNone: 'Clear',
  onThisList: 'On this list',
  addToList: 'Add to list',
  chooseSize: 'Choose a size for your list',
  newCount: 'Start a new count',
  printSheet: 'Print count sheet',
  countSheet: 'Count sheet',
  backToList: 'Back to list',
  print: 'Print',
  date: 'Date',
  countedBy: 'Counted by',
  duplicate: 'Duplicate',
  count: 'Count',
  orderToPar: 'Order to par',
  addAll: 'Add all to cart',
  everythingAtPar: "Everything's at par.",
  nothingToOrder: 'Nothing to order',
  putBack: 'Put back',
  rounded: 'We round up to whole packs.',
  subtracted: "What's in your cart or on the way is already subtracted.",
  dragHint: 'Drag to match your shelf. Counting follows this order.',
  keysHint: 'With a keyboard, press Space to lift a product and the arrow keys to move it.',
  moveToTop: 'Move to top',
  moveUp: 'Move up',
  moveDown: 'Move down',
  onThisDevice: 'Saved on this device',
  install: 'Install the app to keep your lists. This browser may delete them after 7 days without a visit.',
  screenStaysOn: 'Screen stays on',
  screenSleeps: 'Screen may sleep',
  offline: 'Saved offline',
  unsaved: 'Offline, not saved',
  notCounted: 'Not counted',
  atPar: 'At par',
  notFailed: "Couldn't load your lists",
  /** For screen readers, instead of the dash. */
  noNumber: 'not counted',
  products: (count: number) => countOf(count, 'product'),
  packs: (count: number) => countOf(count, 'pack'),
  belowPar: (count: number) => `${count} below par`,
  inYourCart: (packs: number) => `${packs} in cart`,
  onTheirWay: (packs: number) => `${packs} on the way`,
  toOrder: (products: number) => `To order ${products}`,
  viewCart: 'View cart',
  orderedBefore: (products: number) => `Ordered before ${products}`,
  selected: (products: number) => `${products} selected`,
  addSelected: (products: number) => `Add ${countOf(products, 'product')}`,
  noMatches: (text: string) => `No matches for "${text}".`,
  placeOf: (place: number, count: number) => `position ${place} of ${count}`,
  place: (product: string, place: number, count: number) => `${product}, position ${place} of ${count}`,
  actionsFor: (name: string) => `More actions for ${name}`,
  missing: (packs: number) => `${countOf(packs, 'pack')} short`,
  noPar: (names: readonly string[]) => `Set a par to include ${names.join(', ')}.`,
  addThese: (products: number) => `Add ${countOf(products, 'product')} to cart`,
  isOnList: (product: string, list: string) => `${product} is on ${list}`,
  counts: (changes: number) => `${countOf(changes, 'change')} not saved`,
} as const;

/** @returns 'Bar copy', or 'Bar copy 2' if there is one; at most as long as a list's name may be */
export function copyName(name: string, lists: readonly { name: string }[]): string {
  const taken = new Set(lists.map((list) => listNameKey(list.name)));
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? ' copy' : ` copy ${number}`;
    const copy =
      Array.from(name)
        .slice(0, listLimits.name - ending.length)
        .join('')
        .trimEnd() + ending;
    if (!taken.has(listNameKey(copy))) return copy;
  }
}

/** @returns whether the count is below par; false for a product that was not counted */
export const isBelowPar = ({ par, onHand }: Pick<ListItem, 'par' | 'onHand'>): boolean =>
  par !== null && onHand !== null && toTenths(onHand) < par * 10;

/** @returns whole packs missing of a counted product, regardless of cart and open deliveries */
export const packsBelowPar = ({ par, onHand }: Pick<ListItem, 'par' | 'onHand'>): number =>
  par === null || onHand === null ? 0 : Math.max(0, Math.ceil((par * 10 - toTenths(onHand)) / 10));

/** @returns '0.5'; a dash for a value that was not counted or set */
export const numberText = (value: number | null): string => (value === null ? '–' : String(value));

/**
 * Parses the text typed into a field of the sheet.
 * @param decimals allowed digits after the point
 * @returns null for an empty text or a dash; undefined for anything that is not such a number
 */
export function numberTyped(text: string, decimals: 0 | 1): number | null | undefined {
  const plain = text.trim().replace(',', '.');
  if (plain === '' || plain === '–' || plain === '-') return null;
  const isNumber = (decimals === 1 ? /^\d{1,3}(?:\.\d?)?$|^\.\d$/ : /^\d{1,3}$/).test(plain);
  return isNumber ? Math.min(Number(plain), listLimits.onHand) : undefined;
}

/** A key of the number pad or keyboard. */
export type PadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '.' | 'erase';

/**
 * Applies a key to a count being entered.
 * @param entered the digits of this entry so far; undefined before the first key, which replaces the old value
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

/** @returns the value plus or minus one, at least 0; an empty value counts as 0 */
export const stepped = (value: number | null, step: 1 | -1): number =>
  Math.min(listLimits.onHand, Math.max(0, (toTenths(value ?? 0) + 10 * step) / 10));

/** How long a count belongs to the current round; after that, counting starts from the top again. */
export const roundMs = 4 * 60 * 60 * 1000;

/** @returns the index of the first product not counted in this round; 0 when all were counted */
export function firstUncounted(items: readonly Pick<ListItem, 'onHand' | 'countedAt'>[], now: number): number {
  const isUncounted = ({ onHand, countedAt }: Pick<ListItem, 'onHand' | 'countedAt'>) =>
    onHand === null || countedAt === null || now - Date.parse(countedAt) > roundMs;
  return Math.max(0, items.findIndex(isUncounted));
}
