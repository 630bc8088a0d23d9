import type { ReactNode } from 'react';
import { stockNote } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { listPageMessages } from '../../../shared/listPages';
import { formatMoney } from '../../../shared/money';
import { type ParChoice, type ParRow, parMessages } from '../../../shared/orderToPar';
import { OtherSize } from '../../catalog/core/OtherSize';
import { useSizeOf } from '../../catalog/core/useSizeOf';
import { Badge } from '../../ui/Badge';
import { Icon } from '../../ui/Icon';
import { QuantityStepper } from '../../ui/QuantityStepper';
import { Thumbnail } from '../../ui/Thumbnail';
import styles from './OrderToPar.module.css';

interface LineProps {
  row: ParRow;
  product: Schema<'Product'> | undefined;
  /** How many packs can be ordered. */
  maxPacks: number;
  choice: ParChoice;
  onPacks: (packs: number) => void;
}

/** A line reduced to 0 packs stays until the sheet is closed. */
export function Line({ row, product, maxPacks, choice, onPacks }: LineProps) {
  const { packs, priceCents, inCart, onItsWay } = row;
  const size = useSizeOf()(product);
  return (
    <li className={`${styles['line']} ${packs === 0 ? styles['pale'] : ''}`}>
      <Thumbnail imageUrl={product?.imageUrl ?? null} />
      <Name row={row} about={[size, formatMoney(priceCents)]}>
        {inCart > 0 && !choice.leavesOutCart && <small>{listPageMessages.inYourCart(inCart)}</small>}
        {onItsWay > 0 && !choice.leavesOutOnItsWay && <small>{listPageMessages.onTheirWay(onItsWay)}</small>}
        <ShortageBadge row={row} product={product} />
      </Name>
      <span className={styles['quantity']}>
        <QuantityStepper
          name={row.name}
          value={packs}
          max={maxPacks}
          onChange={(change) => onPacks(Math.max(0, packs + change))}
        />
      </span>
      <span className={`tabular ${styles['total']}`}>{formatMoney(packs * priceCents)}</span>
    </li>
  );
}

/** Why fewer packs can be ordered than are missing. */
function ShortageBadge({ row, product }: Pick<LineProps, 'row' | 'product'>) {
  if (row.note === 'most_in_cart') return <Badge tone="warn">{parMessages.most_in_cart(row)}</Badge>;
  if (row.note !== 'short' || !product) return null;
  return <Badge tone="warn">{stockNote(product) ?? `Only ${product.quantity} left`}</Badge>;
}

interface NotCountedProps {
  row: ParRow;
  product: Schema<'Product'> | undefined;
  isTicked: boolean;
  onTick: () => void;
}

/** Its stock is unknown, so its par is added only on request. */
export function NotCounted({ row, product, isTicked, onTick }: NotCountedProps) {
  const size = useSizeOf()(product);
  const isAvailable = product !== undefined && product.availability && !product.archived;
  return (
    <li className={`${styles['line']} ${styles['off']} ${isTicked ? '' : styles['pale']}`}>
      <Thumbnail imageUrl={product?.imageUrl ?? null} />
      <Name row={row} about={[size, `par ${row.par}`]}>
        <ShortageBadge row={row} product={product} />
      </Name>
      <span className={styles['answer']}>
        {isAvailable ? (
          <Check
            label={`Add ${listPageMessages.packs(row.offered)}`}
            name={`Add ${listPageMessages.packs(row.offered)} of ${row.name}`}
            isOn={isTicked}
            onChange={onTick}
          />
        ) : (
          'Out of stock'
        )}
      </span>
    </li>
  );
}

interface NotAddedProps extends Pick<LineProps, 'row' | 'product'> {
  /** Another size, if there is one. */
  instead: Schema<'Product'> | undefined;
  isTaken: (size: Schema<'Product'>) => boolean;
  onToggle: (size: Schema<'Product'>) => void;
}

export function NotAdded({ row, product, instead, isTaken, onToggle }: NotAddedProps) {
  const size = useSizeOf()(product);
  return (
    <li className={`${styles['line']} ${styles['off']} ${styles['pale']}`}>
      <Thumbnail imageUrl={product?.imageUrl ?? null} />
      <Name row={row} about={[size, listPageMessages.missing(row.missing)]}>
        {product && instead && (
          <OtherSize
            gone={{ ...product, productName: product.name }}
            isSoldOut={row.note === 'sold_out'}
            other={instead}
            isTaken={isTaken(instead)}
            onToggle={() => onToggle(instead)}
          />
        )}
      </Name>
      {row.note === 'not_sold' && <span className={styles['answer']}>{parMessages.not_sold}</span>}
    </li>
  );
}

interface NameProps {
  row: ParRow;
  about: readonly (string | null | undefined)[];
  children?: ReactNode;
}

function Name({ row, about, children }: NameProps) {
  return (
    <span className={styles['name']}>
      {row.name || 'Product'}
      <small className="tabular">{about.filter(Boolean).join(', ')}</small>
      {children}
    </span>
  );
}

interface CheckProps {
  label: string;
  /** The accessible name, for users who cannot see what the box belongs to. */
  name?: string;
  isOn: boolean;
  onChange: () => void;
}

export function Check({ label, name, isOn, onChange }: CheckProps) {
  return (
    <label className={styles['check']}>
      <input type="checkbox" className="sr-only" aria-label={name} checked={isOn} onChange={onChange} />
      <span className={styles['mark']}>{isOn && <Icon name="check" size={15} />}</span>
      {label}
    </label>
  );
}
