import { type ReactNode, useState } from 'react';
import { maxQuantity } from '../../../shared/cart';
import type { Schema } from '../../../shared/contract';
import { listPageMessages } from '../../../shared/listPages';
import type { ProductList } from '../../../shared/lists';
import { formatMoney } from '../../../shared/money';
import { isGone, type ParRow, rowOfOtherSize } from '../../../shared/orderToPar';
import { sumCents } from '../../../shared/total';
import { AsOf } from '../../connection/AsOf';
import { ActionButton } from '../../ui/ActionButton';
import { Drawer } from '../../ui/Drawer';
import { SkeletonRows } from '../../ui/SkeletonRows';
import { Waiting } from '../../ui/Waiting';
import { timeOrDate } from '../../ui/localTime';
import styles from './OrderToPar.module.css';
import { Check, Line, NotAdded, NotCounted } from './OrderLines';
import type { OrderToPar as Order } from './useOrderToPar';

interface Props {
  list: ProductList;
  order: Order;
  onClose: () => void;
}

/** The packs that fill the list up to par. They can be changed before one press puts all of them into the cart. */
export function OrderToPar({ list, order, onClose }: Props) {
  const { sheet, products, instead } = order;
  const [chosenPacks, setChosenPacks] = useState<ReadonlyMap<string, number>>(new Map());
  const rows = (sheet?.rows ?? []).map((row) => withChosenPacks(row, chosenPacks, products.get(row.productId)));
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set());
  const otherRows = [...instead.values()].filter((size) => accepted.has(offerOf(size))).map(rowOfOtherSize);
  const ordered = [...rows, ...otherRows];
  const sum = sumCents(ordered.map((row) => row.packs * row.priceCents));
  const added = ordered.filter(({ packs }) => packs > 0);
  const packs = added.reduce((all, row) => all + row.packs, 0);
  const add = () => {
    order.add(ordered);
    onClose();
  };
  const foot = (
    <>
      <p className={`tabular ${styles['sum']}`}>
        <span className="muted">
          {listPageMessages.products(added.length)}, {listPageMessages.packs(packs)}
        </span>
        <b>{formatMoney(sum)}</b>
      </p>
      <ActionButton size="lg" isOff={packs === 0} isBusy={order.isAdding} onClick={add}>
        {listPageMessages.addThese(added.length)} <span className={`tabular ${styles['on']}`}>{formatMoney(sum)}</span>
      </ActionButton>
    </>
  );
  return (
    <Drawer title={listPageMessages.orderToPar} onClose={onClose} foot={foot}>
      {sheet ? (
        <Rows
          list={list}
          order={order}
          rows={rows}
          chosenPacks={chosenPacks}
          onPacks={(id, count) => setChosenPacks((before) => new Map(before).set(id, count))}
          accepted={accepted}
          onAccept={(size) => setAccepted((before) => toggled(before, offerOf(size)))}
        />
      ) : (
        <Waiting what="what to order">
          <SkeletonRows rows={5} />
        </Waiting>
      )}
    </Drawer>
  );
}

/** Names an offer as it was accepted: if another size or price is offered meanwhile, it isn't accepted. */
const offerOf = ({ id, price }: Schema<'Product'>) => `${id} ${price}`;

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Replaces the missing packs by the number the cook chose, as far as they are available. */
function withChosenPacks(
  row: ParRow,
  chosenPacks: ReadonlyMap<string, number>,
  product: Schema<'Product'> | undefined,
): ParRow {
  const packs = chosenPacks.get(row.productId);
  return packs === undefined ? row : { ...row, packs: Math.min(packs, maxPacksOf(row, product)) };
}

/** @returns how many more packs the stock has and the cart accepts */
const maxPacksOf = ({ inCart }: ParRow, product: Schema<'Product'> | undefined): number =>
  product && product.availability && !product.archived
    ? Math.max(0, Math.min(product.quantity, maxQuantity) - inCart)
    : 0;

interface RowsProps {
  list: ProductList;
  order: Order;
  rows: readonly ParRow[];
  chosenPacks: ReadonlyMap<string, number>;
  onPacks: (productId: string, packs: number) => void;
  /** The offers of another size that the cook takes (`offerOf`). */
  accepted: ReadonlySet<string>;
  onAccept: (size: Schema<'Product'>) => void;
}

function Rows({ list, order, rows, chosenPacks, onPacks, accepted, onAccept }: RowsProps) {
  const { products, choice, setChoice } = order;
  const parts = partsOf(rows, chosenPacks);
  const productOf = ({ productId }: ParRow) => products.get(productId);
  const tick = (productId: string) => setChoice({ ...choice, ticked: toggled(choice.ticked, productId) });
  if (parts.isNothing) return <p>{listPageMessages.everythingAtPar}</p>;
  return (
    <>
      <p className="muted">{intro(list)}</p>
      <AsOf />
      <CountedAsHad order={order} />
      <ul className={styles['lines']}>
        {parts.lines.map((row) => (
          <Line
            key={row.productId}
            row={row}
            product={productOf(row)}
            maxPacks={maxPacksOf(row, productOf(row))}
            choice={choice}
            onPacks={(packs) => onPacks(row.productId, packs)}
          />
        ))}
      </ul>
      {parts.notCounted.length > 0 && (
        <Part title={listPageMessages.notCounted}>
          {parts.notCounted.map((row) => (
            <NotCounted
              key={row.productId}
              row={row}
              product={productOf(row)}
              isTicked={choice.ticked.has(row.productId)}
              onTick={() => tick(row.productId)}
            />
          ))}
        </Part>
      )}
      {parts.soldOut.length > 0 && (
        <Part title="Not added (out of stock)">
          {parts.soldOut.map((row) => (
            <NotAdded
              key={row.productId}
              row={row}
              product={productOf(row)}
              instead={order.instead.get(row.productId)}
              isTaken={(size) => accepted.has(offerOf(size))}
              onToggle={onAccept}
            />
          ))}
        </Part>
      )}
      {parts.noPar.length > 0 && <p className="muted">{listPageMessages.noPar(parts.noPar.map(({ name }) => name))}</p>}
    </>
  );
}

/** 'Weekly kitchen, counted today, 8:12 AM. Take away or add packs …' */
function intro({ name, items }: ProductList): string {
  const last = items
    .flatMap(({ countedAt }) => countedAt ?? [])
    .toSorted()
    .at(-1);
  return `${name}${last ? `, counted ${timeOrDate(last)}` : ''}. Adjust quantities before adding to cart.`;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h3 className={styles['title']}>{title}</h3>
      <ul className={styles['lines']}>{children}</ul>
    </>
  );
}

/** Packs in the cart and on their way count as on hand unless they are excluded here. */
function CountedAsHad({ order: { sheet, choice, setChoice } }: { order: Order }) {
  const rows = sheet?.rows ?? [];
  const inCart = rows.reduce((sum, row) => sum + row.inCart, 0);
  const onItsWay = rows.reduce((sum, row) => sum + row.onItsWay, 0);
  if (inCart + onItsWay === 0) return null;
  return (
    <div className={styles['had']}>
      {inCart > 0 && (
        <Check
          label={`Subtract what's in your cart (${listPageMessages.packs(inCart)})`}
          isOn={!choice.leavesOutCart}
          onChange={() => setChoice({ ...choice, leavesOutCart: !choice.leavesOutCart })}
        />
      )}
      {onItsWay > 0 && (
        <Check
          label={`Subtract what's on the way (${listPageMessages.packs(onItsWay)})`}
          isOn={!choice.leavesOutOnItsWay}
          onChange={() => setChoice({ ...choice, leavesOutOnItsWay: !choice.leavesOutOnItsWay })}
        />
      )}
    </div>
  );
}

function partsOf(rows: readonly ParRow[], chosenPacks: ReadonlyMap<string, number>) {
  const counted = rows.filter(({ par, onHand }) => par !== null && onHand !== null);
  const lines = counted.filter((row) => !isGone(row) && (row.missing > 0 || chosenPacks.has(row.productId)));
  const notCounted = rows.filter(({ par, onHand }) => par !== null && onHand === null);
  const soldOut = counted.filter(isGone);
  const noPar = rows.filter(({ note }) => note === 'no_par');
  const isNothing = lines.length + notCounted.length + soldOut.length === 0 && rows.every(hasEnough);
  return { lines, notCounted, soldOut, noPar, isNothing };
}

const hasEnough = ({ note, inCart, onItsWay }: ParRow): boolean => note === 'enough' && inCart + onItsWay === 0;
