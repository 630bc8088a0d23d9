import { useLocation, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { firstUncounted, numberText, numberTyped, type PadKey, stepped, withKey } from '../../../shared/listPages';
import type { ListItem, ListItemFields, ProductList } from '../../../shared/lists';
import { afterPaint } from '../../browser/afterPaint';
import { setListItem } from '../core/changeLists';
import { useWaiting } from '../../outbox/outbox';
import { useSaveEntry } from './useEnteredCount';

export interface Counting {
  item: ListItem;
  /** The index of the item, from 0. */
  place: number;
  count: number;
  isLast: boolean;
  /** The number as entered so far; a dash if nothing was counted. */
  shown: string;
  /** Whether a number was entered since this product appeared. */
  isEntered: boolean;
  /** 'last count 1', while a new number is entered. */
  last: string | undefined;
  press: (key: PadKey) => void;
  step: (by: 1 | -1) => void;
  next: () => void;
  previous: () => void;
  /** Saves the entered number. */
  save: () => void;
  /** Whether the last saved count would be lost with this page. */
  isUnsaved: boolean;
  /** Undoes the last entry and shows its product; undefined if there is nothing to undo. */
  undo: (() => void) | undefined;
}

interface Parts {
  userId: string;
  list: ProductList;
  nameOf: (productId: string) => string;
}

/** A count as it was before it was overwritten. */
type Entry = Pick<ListItem, 'productId' | 'onHand' | 'countedAt'>;

/** An entry is saved after this time, because the app may be killed at any moment. */
const saveAfterMs = 800;

/**
 * Counts one product after the other. An entry is saved when its product is left, when the page is hidden or left, and
 * after a short pause. A product without an entry does not change.
 * Rule: docs/rules/kitchen.md, Counting
 */
export function useCounting({ list, ...parts }: Parts): Counting {
  const navigate = useNavigate();
  const { set, isUnsaved } = useSetCount({ list, ...parts });
  const { items } = list;
  const [at, setAt] = useState<string>(); // undefined until the first key: unsent changes may load later than the list
  const [entered, setEntered] = useState<string>();
  const [undoStack, setUndoStack] = useState<readonly Entry[]>([]);
  const isNewRound = useLocation({ select: ({ hash }) => hash === 'new' }); // 'Start a new count'
  const [openedAt] = useState(() => (isNewRound ? Number.POSITIVE_INFINITY : Date.now()));
  const position =
    at === undefined ? firstUncounted(items, openedAt) : items.findIndex(({ productId }) => productId === at);
  const place = useLastPlace(position, items.length); // another device may have removed it
  const item = items[place] ?? noItem;
  const savedAs = useRef<number | null>(undefined); // of the current entry; entering the old number again is also a new count
  const save = () => {
    const onHand = entered === undefined ? undefined : numberTyped(entered, 1);
    if (onHand === undefined || onHand === savedAs.current || (onHand === null && item.onHand === null)) return;
    savedAs.current = onHand;
    set(item.productId, { onHand });
    // several saves during one entry are one undo step
    setUndoStack((before) => (before.at(-1)?.productId === item.productId ? before : [...before, entryOf(item)]));
  };
  useSaveEntry(save, entered, saveAfterMs);
  const endEntry = () => {
    savedAs.current = undefined;
    setEntered(undefined);
  };
  const goTo = (index: number) => {
    save();
    endEntry();
    setAt(items[index]?.productId);
  };
  const takeBack = () => {
    const last = undoStack.at(-1);
    if (entered !== undefined && last?.productId !== item.productId) return endEntry();
    if (!last) return undefined;
    const { productId, onHand, countedAt } = last;
    set(productId, { onHand, ...(onHand !== null && countedAt !== null && { countedAt }) });
    setUndoStack(undoStack.slice(0, -1));
    endEntry();
    return setAt(productId);
  };
  const before = numberText(item.onHand);
  const isLast = place === items.length - 1;
  return {
    item,
    place,
    count: items.length,
    isLast,
    shown: entered === undefined ? before : entered || numberText(null),
    isEntered: entered !== undefined,
    last: item.onHand === null || entered === undefined ? undefined : `last counted ${before}`,
    press: (key) => {
      setAt(item.productId);
      setEntered((text) => withKey(text, key, before));
    },
    step: (by) => {
      setAt(item.productId);
      setEntered((text) => String(stepped(text === undefined ? item.onHand : (numberTyped(text, 1) ?? null), by)));
    },
    next() {
      if (!isLast) return goTo(place + 1);
      save();
      return afterPaint(() => void navigate({ to: '/customer/lists/$listId', params: { listId: list.id } }));
    },
    previous: () => {
      if (place > 0) goTo(place - 1);
    },
    save,
    isUnsaved,
    undo: entered !== undefined || undoStack.length > 0 ? takeBack : undefined,
  };
}

/** @returns how to set a count, and whether the last one exists only in this page's memory */
function useSetCount({ userId, list, nameOf }: Parts) {
  const [isUnsaved, setUnsaved] = useState(false);
  const waiting = useWaiting(userId);
  const set = (productId: string, fields: ListItemFields) =>
    void setListItem(userId, { list, product: { id: productId, name: nameOf(productId) } }, fields).then(
      (sent) => setUnsaved(sent.queued && sent.because === 'unkept'),
      () => undefined, // a rejected change is shown on the list's page, with Put back and Discard
    );
  return { set, isUnsaved: isUnsaved && waiting.length > 0 };
}

const noItem: ListItem = { productId: '', par: null, onHand: null, countedAt: null };
const entryOf = ({ productId, onHand, countedAt }: ListItem): Entry => ({ productId, onHand, countedAt });

/** @returns the product's index, or its last one after it was removed */
function useLastPlace(position: number, count: number): number {
  const [last, setLast] = useState(position);
  if (position >= 0 && position !== last) setLast(position);
  return Math.min(Math.max(0, position >= 0 ? position : last), count - 1);
}
