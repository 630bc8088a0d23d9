import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import { catalogMessages } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import {
  isBelowPar,
  listPageMessages,
  numberText,
  numberTyped,
  packsBelowPar,
  stepped,
} from '../../../shared/listPages';
import { type ListItem, type ListItemFields, listLimits, type ProductList } from '../../../shared/lists';
import { parMessages, type ParRow } from '../../../shared/orderToPar';
import { shortSize } from '../../../shared/unitPrice';
import { useSizeOf } from '../../catalog/core/useSizeOf';
import { Badge } from '../../ui/Badge';
import { focusHeading } from '../../ui/focusHeading';
import { LaterIcon } from '../../ui/LaterIcon';
import { Thumbnail } from '../../ui/Thumbnail';
import { setListItem } from '../core/changeLists';
import { RowMenu } from './menu';
import styles from './ParTable.module.css';
import { useSaveEntry } from './useEnteredCount';
import { useQueuedItems } from './useQueuedItems';
import type { OrderToPar } from './useOrderToPar';
import { useShelfDrag } from './useShelfDrag';
import { useRemoveItem } from './useRemoveItem';

interface Props {
  userId: string;
  list: ProductList;
  /** The visible items, in the order they are shown. */
  items: readonly ListItem[];
  order: OrderToPar;
  /** Sets the order of the shelf; undefined unless all items are shown in that order. */
  onOrder: ((productIds: readonly string[]) => void) | undefined;
}

const hintId = 'shelf-hint';

/** The list as a table, one row for each product. */
export function ParTable({ userId, list, items, order, onOrder }: Props) {
  const queued = useQueuedItems(userId, list.id);
  const rows = new Map(order.sheet?.rows.map((row) => [row.productId, row]));
  const announcement = useRef<HTMLOutputElement>(null);
  const drag = useShelfDrag({
    onPlace(productId, place, count) {
      const name = order.products.get(productId)?.name ?? 'Product';
      // written past React, which would render every row
      if (announcement.current) announcement.current.textContent = listPageMessages.place(name, place + 1, count);
    },
    onDrop: (productIds) => onOrder?.(productIds),
  });
  const latest = useRef({ items, onOrder });
  useEffect(() => {
    latest.current = { items, onOrder }; // memoized rows keep their first callback
  });
  const move = (productId: string, to: Move) => {
    const ids = latest.current.items.map((item) => item.productId);
    latest.current.onOrder?.(moved(ids, productId, to));
  };
  return (
    <>
      <table className={styles['table']}>
        <caption className="sr-only">{list.name}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
            <th scope="col">
              <span className="sr-only">Product</span>
            </th>
            <th scope="col">To order</th>
            <th scope="col">On hand</th>
            <th scope="col">Par</th>
          </tr>
        </thead>
        <tbody {...(onOrder && drag)}>
          {items.map((item, place) => (
            <Row
              key={item.productId}
              userId={userId}
              list={list}
              item={item}
              product={order.products.get(item.productId)}
              row={rows.get(item.productId)}
              isQueued={queued.has(item.productId)}
              place={onOrder && listPageMessages.placeOf(place + 1, items.length)}
              move={move}
            />
          ))}
        </tbody>
      </table>
      {onOrder && items.length > 1 && (
        <p id={hintId} className={`muted ${styles['hint']}`}>
          {listPageMessages.dragHint} <span className="sr-only">{listPageMessages.keysHint}</span>
        </p>
      )}
      <output ref={announcement} className="sr-only" />
    </>
  );
}

type Move = 'top' | 'up' | 'down';

function moved(ids: readonly string[], id: string, to: Move): string[] {
  const from = ids.indexOf(id);
  const place = { top: 0, up: Math.max(0, from - 1), down: from + 1 }[to];
  return ids.filter((each) => each !== id).toSpliced(place, 0, id);
}

interface RowProps {
  userId: string;
  list: ProductList;
  item: ListItem;
  product: Schema<'Product'> | undefined;
  row: ParRow | undefined;
  isQueued: boolean;
  /** 'position 5 of 12'; undefined unless the rows are in shelf order. */
  place: string | undefined;
  move: (productId: string, to: Move) => void;
}

/** While 40 counts are sent the table renders for each one, so unchanged rows are memoized. */
const Row = memo(
  ItemRow,
  (before, next) => fingerprint(before) === fingerprint(next) && before.product === next.product,
);

const fingerprint = ({ userId, list, item, row, isQueued, place }: RowProps) =>
  JSON.stringify([userId, list.id, list.name, item, row, isQueued, place]);

function ItemRow({ userId, list, item, product, row, isQueued, place, move }: RowProps) {
  const element = useRef<HTMLTableRowElement>(null);
  const removeItem = useRemoveItem(userId, list);
  const sizeOf = useSizeOf();
  const name = product?.name ?? 'Product';
  const set = (fields: ListItemFields) =>
    // a rejected change is shown above the table, with Put back and Discard
    setListItem(userId, { list, product: { id: item.productId, name } }, fields).catch(() => undefined);
  return (
    <tr ref={element} className={styles['row']} data-product={item.productId}>
      <td className={styles['handle']} data-grip={place && ''}>
        <RowMenu
          name={name}
          move={place === undefined ? undefined : (to) => move(item.productId, to)}
          onRemove={() => {
            focusNextRow(element.current);
            removeItem(item, name);
          }}
          className={styles['grip']}
        >
          <LaterIcon name={place === undefined ? 'dots' : 'grip'} />
          <span className="sr-only">
            {place === undefined ? listPageMessages.actionsFor(name) : `Move ${name}, ${place}`}
          </span>
        </RowMenu>
        <Thumbnail imageUrl={product?.imageUrl ?? null} />
      </td>
      <th scope="row" className={styles['product']}>
        <span className={styles['name']}>{name}</span>
        <small className={`muted ${styles['size']}`}>{shortSize(sizeOf(product))}</small>
      </th>
      <td className={`tabular ${styles['need']}`}>
        <ToOrder item={item} row={row} product={product} />
        {isQueued && (
          <Badge tone="warn" icon={<LaterIcon name="clock" size={14} />}>
            Waiting to sync
          </Badge>
        )}
      </td>
      <td className={styles['onHand']}>
        <NumberField
          label="On hand"
          name={name}
          value={item.onHand}
          decimals={1}
          onChange={(onHand) => set({ onHand })}
        />
      </td>
      <td className={styles['par']}>
        <NumberField label="Par" name={name} value={item.par} decimals={0} onChange={(par) => set({ par })} />
      </td>
    </tr>
  );
}

/** Before a row is removed, so that the focus isn't lost. */
function focusNextRow(row: HTMLElement | null): void {
  const next = row?.nextElementSibling?.querySelector('button');
  if (next) next.focus({ preventScroll: true });
  else focusHeading();
}

/** What to do with the product: order it, wait for it, or nothing. */
function ToOrder({ item, row, product }: Pick<RowProps, 'item' | 'row' | 'product'>) {
  const sizeOf = useSizeOf();
  const size = <span className={`muted ${styles['besideNeed']}`}>{shortSize(sizeOf(product))}</span>;
  const quiet = (text: string) => (
    <>
      <span className="muted">{text}</span>
      {size}
    </>
  );
  if (item.onHand === null) return quiet(listPageMessages.notCounted);
  if (item.par === null) return quiet(parMessages.no_par);
  if (!isBelowPar(item)) return quiet(listPageMessages.atPar);
  if (row?.missing === 0) {
    const [icon, text] =
      row.inCart > 0
        ? (['check', listPageMessages.inYourCart(row.inCart)] as const)
        : (['truck', listPageMessages.onTheirWay(row.onItsWay)] as const);
    return (
      <>
        <span className={styles['done']}>
          <LaterIcon name={icon} size={16} />
          {text}
        </span>
        {size}
      </>
    );
  }
  const note = noteOf(row, product);
  return (
    <>
      <b>{listPageMessages.packs(row?.missing ?? packsBelowPar(item))}</b>
      {note ? <span className="muted">{note}</span> : size}
    </>
  );
}

/** Why the product cannot be ordered, or how much of it is already ordered. */
function noteOf(row: ParRow | undefined, product: Schema<'Product'> | undefined): string | undefined {
  if (!row) return undefined;
  if (row.note === 'sold_out') return catalogMessages.outOfStock;
  if (row.note === 'not_sold') return parMessages.not_sold;
  if (row.note === 'short' && product) return `Only ${product.quantity} left`;
  if (row.inCart > 0) return listPageMessages.inYourCart(row.inCart);
  return row.onItsWay > 0 ? listPageMessages.onTheirWay(row.onItsWay) : undefined;
}

interface FieldProps {
  label: 'On hand' | 'Par';
  name: string;
  value: number | null;
  decimals: 0 | 1;
  /** @returns when it is done, saved for later, or rejected */
  onChange: (value: number | null) => Promise<unknown>;
}

/**
 * While the cook types, the field keeps that text; a change from another device appears when the field loses the focus.
 */
function NumberField({ label, name, value: saved, decimals, onChange }: FieldProps) {
  const [typed, setTyped] = useState<string>();
  const [changed, setChanged] = useState<{ to: number | null }>();
  const value = changed ? changed.to : saved; // until the device has stored the change and the server knows it
  const change = async (to: number | null) => {
    const latestChange = { to };
    setChanged(latestChange);
    await onChange(to);
    setChanged((latest) => (latest === latestChange ? undefined : latest));
  };
  const save = (text = typed) => {
    setTyped(undefined);
    const next = text === undefined ? undefined : numberTyped(text, decimals);
    if (next !== undefined && next !== value) void change(next);
  };
  useSaveEntry(save, typed);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.key === 'Enter') moveDown(event.currentTarget, event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') setTyped(undefined);
    else if (step === 1 || step === -1) {
      const from = typed === undefined ? value : (numberTyped(typed, decimals) ?? value);
      save(String(stepped(from, step)));
    } else return;
    event.preventDefault();
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a number field cannot show a dash and changes its
          value on scroll */}
      <input
        role="spinbutton"
        type="text"
        inputMode={decimals === 1 ? 'decimal' : 'numeric'}
        autoComplete="off"
        className={styles['field']}
        aria-label={`${label} for ${name}`}
        aria-valuemin={0}
        aria-valuemax={listLimits.onHand}
        {...(value !== null && { 'aria-valuenow': value })}
        aria-valuetext={value === null ? listPageMessages.noNumber : numberText(value)}
        data-column={label}
        value={typed ?? numberText(value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ target }) => {
          const text = target.value.replace(numberText(null), ''); // drops the dash if the caret was beside it
          if (numberTyped(text, decimals) !== undefined) setTyped(text);
        }}
        onBlur={() => save()}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

/** Enter moves down the column. The typed number is saved when the field loses the focus. */
function moveDown(field: HTMLInputElement, step: 1 | -1): void {
  const column = `input[data-column="${field.dataset['column']}"]`;
  const fields = [...(field.closest('table')?.querySelectorAll<HTMLInputElement>(column) ?? [])];
  const next = fields[fields.indexOf(field) + step];
  if (next) next.focus();
  else field.blur();
}
