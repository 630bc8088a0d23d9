import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { orderMessages } from '../../shared/orders';
import { LaterIcon } from '../ui/LaterIcon';
import { findPaying, forgetPaying } from './paying';
import { payingOrderQuery } from './queries';
import { UnpaidActions } from './UnpaidActions';
import styles from './UnpaidOrder.module.css';

/** After the payment page was left without paying: says so, and offers to pay or to cancel the order. */
export function UnpaidOrder({ userId }: { userId: string }) {
  const [orderId] = useState(() => findPaying(userId));
  if (orderId === undefined) return null;
  return <Unpaid userId={userId} orderId={orderId} />;
}

function Unpaid({ userId, orderId }: { userId: string; orderId: string }) {
  const { data: order, isFetchedAfterMount } = useQuery(payingOrderQuery(userId, orderId));
  const isOver = order !== undefined && order.orderStatus !== 'PENDING_PAYMENT';
  useEffect(() => {
    if (isOver) forgetPaying();
  }, [isOver]);
  if (!order?.paymentUrl || !isFetchedAfterMount) return null;
  return (
    <section className={`panel ${styles['notice']}`} aria-label="Unpaid order">
      <LaterIcon name="info" />
      <div className={styles['words']}>
        <output>
          <b>{orderMessages.notPaid}</b>
        </output>
        <p className={styles['number']}>Order #{order.orderNumber}</p>
        <div className={styles['actions']}>
          <UnpaidActions userId={userId} order={order} />
        </div>
      </div>
    </section>
  );
}
