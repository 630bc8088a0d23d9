import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { formatMoney, toCents } from '../../../shared/money';
import { isAllRefunded, unitsInWords, unitsLeft } from '../../../shared/orderUnits';
import { paidCents, receiptMessages } from '../../../shared/receipt';
import { minusLine, orderLines } from '../../../shared/totalLines';
import { useSizeThen } from '../../catalog/core/useSizeOf';
import { Button } from '../../ui/Button';
import { lazyPart } from '../../ui/lazyPart';
import { Thumbnail } from '../../ui/Thumbnail';
import { TotalLines } from '../../ui/TotalLines';
import { AdminIcon } from '../ui/AdminIcon';
import { OrderBox } from './OrderBox';
import styles from './OrderPage.module.css';
import type { Paper } from './OrderPaper';
import type { Order } from './queries';

const ParcelDialog = lazyPart(() => import('./ParcelDialog'), 'ParcelDialog');

interface Props {
  order: Order;
  onPrint: (paper: Paper) => void;
}

export function OrderItems({ order, onPrint }: Props) {
  const sizeThen = useSizeThen();
  const lines = orderLines(order);
  return (
    <OrderBox
      id="items-heading"
      title="Items"
      action={unitsLeft(order) > 0 && <CreateParcel order={order} onPrint={onPrint} />}
    >
      <ul className={styles['items']}>
        {order.orderItems.map((item) => (
          <li key={item.orderItemId} className={styles['item']}>
            {item.imageUrl ? (
              <Thumbnail imageUrl={item.imageUrl} />
            ) : (
              <span className="thumb">
                <AdminIcon name="image" size={24} />
              </span>
            )}
            <div>
              <Link to="/view/product/$id" params={{ id: item.productId }} className={styles['name']}>
                {isAllRefunded(item) ? <s>{item.productName}</s> : item.productName}
              </Link>
              <p className={styles['muted']}>{sizeThen(item, unitsInWords(item))}</p>
            </div>
            <b className={`tabular ${styles['price']}`}>{formatMoney(toCents(item.totalPrice))}</b>
          </li>
        ))}
      </ul>
      {lines.length > 0 && (
        <div className={styles['parts']}>
          <TotalLines lines={lines} isPlain />
        </div>
      )}
      <p className={styles['sum']}>
        <span>Total</span>
        <span className={`tabular ${styles['price']}`}>{formatMoney(toCents(order.totalAmount))}</span>
      </p>
      {order.refundedAmount > 0 && (
        <>
          <div className={styles['parts']}>
            <TotalLines lines={[minusLine(receiptMessages.refunded, toCents(order.refundedAmount))]} isPlain />
          </div>
          <p className={styles['sum']}>
            <span>{receiptMessages.rest}</span>
            <span className={`tabular ${styles['price']}`}>{formatMoney(paidCents(order))}</span>
          </p>
        </>
      )}
    </OrderBox>
  );
}

function CreateParcel({ order, onPrint }: Props) {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Button onClick={() => setCreating(true)}>Ship items</Button>
      {isCreating && (
        <Suspense>
          <ParcelDialog order={order} onPrint={onPrint} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}
