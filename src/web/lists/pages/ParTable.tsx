import { type KeyboardEvent, memo, useState } from 'react';
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
import type { ParRow } from '../../../shared/orderToPar';
import { Badge } from '../../ui/Badge';
import { focusBeside } from '../../ui/focusBeside';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { LaterIcon } from '../../ui/LaterIcon';
import { Thumbnail } from '../../ui/Thumbnail';
import { setListItem } from '../core/changeLists';
import styles from './ParTable.module.css';
import { useSaveEntry } from './useEnteredCount';
import { useQueuedItems } from './useQueuedItems';
import type { OrderToPar } from './useOrderToPar';
import { useRemoveItem } from './useRemoveItem';

interface Props {
  userId: string;
  list: ProductList;
  /** The visible items, in shelf order. */
  items: readonly ListItem[];
  order: OrderToPar;
}

/** The list as a table; on a phone each product takes two lines. */
export function ParTable({ userId, list, items, order }: Props) {
  const queued = useQueuedItems(userId, list.id);
  const rows = new Map(order.sheet?.rows.map((row) => [row.productId, row]));
  return (
    <table className={styles['table']}>
      <caption className="sr-only">{list.name}</caption>
      <thead>
        <tr>
          <th scope="col">Product</th>
          <th scope="col">On hand</th>
          <th scope="col">Par</th>
          <th scope="col">To order</th>
          <th scope="col">
            <span className="sr-only">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row
            key={item.productId}
            userId={userId}
            list={list}
            item={item}
            product={order.products.get(item.productId)}
            row={rows.get(item.productId)}
            isQueued={queued.has(item.productId)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  userId: string;
  list: ProductList;
  item: ListItem;
  product: Schema<'Product'> | undefined;
  row: ParRow | undefined;
  isQueued: boolean;
}

/** While 40 counts are sent the table renders for each one, so unchanged rows are memoized. */
const Row = memo(
  ItemRow,
  (before, next) => fingerprint(before) === fingerprint(next) && before.product === next.product,
);

const fingerprint = ({ userId, list, item, row, isQueued }: RowProps) =>
  JSON.stringify([userId, list.id, list.name, item, row, isQueued]);

function ItemRow({ userId, list, item, product, row, isQueued }: RowProps) {
  const removeItem = useRemoveItem(userId, list);
  const name = product?.name ?? 'Product';
  const set = (fields: ListItemFields) =>
    // a rejected change is shown above the table, with Put back and Discard
    setListItem(userId, { list, product: { id: item.productId, name } }, fields).catch(() => undefined);
  return (
    <tr className={styles['row']}>
      <th scope="row" className={styles['product']}>
        <Thumbnail imageUrl={product?.imageUrl ?? null} />
        <span>
          <span className={styles['name']}>{name}</span>
          <span className={`muted ${styles['size']}`}>
            {product?.unitSize}
            {isQueued && (
              <Badge tone="warn" icon={<LaterIcon name="clock" size={14} />}>
                Waiting to sync
              </Badge>
            )}
          </span>
        </span>
      </th>
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
      <td className={`tabular ${styles['need']}`}>
        <span className={styles['label']} aria-hidden="true">
          To order
        </span>
        <ToOrder item={item} row={row} product={product} />
      </td>
      <td className={styles['remove']}>
        <IconButton
          icon="cross"
          label={`Remove ${name}`}
          data-removes=""
          onClick={({ currentTarget }) => {
            focusBeside(currentTarget.closest('tr'));
            removeItem(item, name);
          }}
        />
      </td>
    </tr>
  );
}

function ToOrder({ item, row, product }: Pick<RowProps, 'item' | 'row' | 'product'>) {
  if (item.onHand === null) return <span className={styles['quiet']}>{listPageMessages.notCounted}</span>;
  if (!isBelowPar(item)) return <span>–</span>;
  const note = noteOf(row, product);
  if (row?.missing === 0)
    return (
      <span className={styles['done']}>
        <Icon name="check" size={16} />
        {`0, ${note ?? ''}`}
      </span>
    );
  return (
    <span>
      {listPageMessages.packs(row?.missing ?? packsBelowPar(item))}
      {note && <small>{note}</small>}
    </span>
  );
}

/** Why the product cannot be ordered, or how much of it is already ordered. */
function noteOf(row: ParRow | undefined, product: Schema<'Product'> | undefined): string | undefined {
  if (!row) return undefined;
  if (row.note === 'sold_out') return 'Out of stock';
  if (row.note === 'not_sold') return 'No longer sold';
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
      <span className={styles['label']} aria-hidden="true">
        {label}
      </span>
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
