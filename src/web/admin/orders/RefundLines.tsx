import { formatMoney } from '../../../shared/money';
import { orderStaffMessages as messages } from '../../../shared/ordersStaff';
import { useNameWithSize, useSizeThen } from '../../catalog/core/useSizeOf';
import { QuantityStepper } from '../../ui/QuantityStepper';
import { Thumbnail } from '../../ui/Thumbnail';
import { TotalLines } from '../../ui/TotalLines';
import { AdminIcon } from '../ui/AdminIcon';
import { Switch } from '../ui/Switch';
import styles from './RefundDialog.module.css';
import type { Wish } from './useRefundSelection';

type Line = Wish['refundable']['items'][number];

/** The lines with units left to refund, and the delivery. */
export function RefundLines(wish: Wish) {
  const { items, left } = wish.refundable;
  const refundable = items.filter(({ quantity, refundedUnits }) => refundedUnits < quantity);
  return (
    <div>
      {refundable.length > 0 && (
        <ul className={styles['lines']}>
          {refundable.map((line) => (
            <RefundLine key={line.orderItemId} line={line} wish={wish} />
          ))}
        </ul>
      )}
      {left.deliveryCents > 0 && (
        <div className={styles['delivery']}>
          <Switch
            label="Delivery"
            checked={wish.withDelivery}
            onChange={({ target }) => wish.chooseDelivery(target.checked)}
          />
          <span className={`tabular ${wish.withDelivery ? styles['amount'] : styles['muted']}`}>
            {formatMoney(left.deliveryCents)}
          </span>
        </div>
      )}
    </div>
  );
}

function RefundLine({ line, wish: { choices, choose, preview, isWholeRestocked } }: { line: Line; wish: Wish }) {
  const name = useNameWithSize()(line);
  const sizeThen = useSizeThen();
  const { orderItemId, imageUrl, productName, paidCents, quantity, refundedUnits } = line;
  const { units = 0, restock = false, cameBack = false } = choices[orderItemId] ?? {};
  const max = quantity - refundedUnits;
  return (
    <li className={styles['line']}>
      {imageUrl ? (
        <Thumbnail imageUrl={imageUrl} />
      ) : (
        <span className="thumb">
          <AdminIcon name="image" size={24} />
        </span>
      )}
      <div className={styles['name']}>
        <p>{productName}</p>
        <p className={`tabular ${styles['muted']}`}>{sizeThen(line, messages.paid(formatMoney(paidCents)))}</p>
      </div>
      <div className={styles['units']}>
        <QuantityStepper
          name={name}
          min={0}
          value={units}
          max={max}
          onChange={(change) =>
            choose(orderItemId, { units: units + change, ...(units + change === 0 && { restock: false }) })
          }
        />
        <span className={styles['muted']}>of {max}</span>
      </div>
      <label className={styles['shelf']}>
        <input
          type="checkbox"
          checked={restock}
          disabled={units === 0 || isWholeRestocked}
          onChange={({ target }) => choose(orderItemId, { restock: target.checked })}
        />
        <span>
          {messages.backOnShelf} <span className="sr-only">{name}</span>
        </span>
      </label>
      {line.shipped > 0 && line.unshipped > 0 && (
        <label className={`${styles['shelf']} ${styles['back']}`}>
          <input
            type="checkbox"
            checked={cameBack}
            disabled={units === 0}
            onChange={({ target }) => choose(orderItemId, { cameBack: target.checked })}
          />
          <span>
            {messages.cameBack(line.shipped)} <span className="sr-only">{name}</span>
          </span>
        </label>
      )}
      <span className={`tabular ${units > 0 ? styles['amount'] : styles['muted']}`}>
        {units > 0 ? formatMoney(preview.cents.get(orderItemId) ?? 0) : '–'}
      </span>
    </li>
  );
}

/** The sum of the chosen refund, announced as it changes. */
export function RefundSum({ preview, totalCents }: { preview: Wish['preview']; totalCents: number }) {
  const { parts, amountCents, restCents } = preview;
  const lines = [
    { label: 'Items', text: formatMoney(parts.goodsCents), cents: parts.goodsCents },
    { label: 'Delivery', text: formatMoney(parts.deliveryCents), cents: parts.deliveryCents },
    { label: 'Sales tax on these items', text: formatMoney(parts.taxCents), cents: parts.taxCents },
  ].filter(({ cents }) => cents > 0);
  return (
    <div className={styles['sum']} aria-live="polite" aria-atomic="true">
      <TotalLines lines={lines} grand={{ label: 'Refund', text: formatMoney(amountCents) }} isPlain />
      <p className={`tabular ${styles['muted']}`}>
        {messages.staysPaid(formatMoney(restCents), formatMoney(totalCents))}
      </p>
    </div>
  );
}
