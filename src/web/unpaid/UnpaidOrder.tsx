import { useQuery } from '@tanstack/react-query';
import { useEffect, useReducer } from 'react';
import { orderMessages } from '../../shared/orders';
import { listen } from '../browser/listen';
import { LaterIcon } from '../ui/LaterIcon';
import { findPaying, forgetPaying } from './paying';
import { payingOrderQuery } from './queries';
import { UnpaidActions } from './UnpaidActions';
import styles from './UnpaidOrder.module.css';

interface Props {
  userId: string;
  /** The cart was emptied meanwhile, perhaps on another device. */
  isCartEmpty?: boolean;
}

/** After the payment page was left without paying: says so, and offers to pay or to cancel the order. */
export function UnpaidOrder({ userId, isCartEmpty = false }: Props) {
  const orderId = usePaying(userId);
  if (orderId === undefined) return null;
  return <Unpaid key={orderId} userId={userId} orderId={orderId} isCartEmpty={isCartEmpty} />;
}

function Unpaid({ userId, orderId, isCartEmpty }: Required<Props> & { orderId: string }) {
  const { data: order, isFetchedAfterMount } = useQuery(payingOrderQuery(userId, orderId));
  const isOver = order !== undefined && order.orderStatus !== 'PENDING_PAYMENT';
  useEffect(() => {
    if (isOver) forgetPaying();
  }, [isOver]);
  if (!order?.paymentUrl || !isFetchedAfterMount) return null;
  return (
    <section ref={showNotice} className={`panel ${styles['notice']}`} aria-label="Unpaid order">
      <LaterIcon name="info" />
      <div className={styles['words']}>
        <output>
          <b>{isCartEmpty ? orderMessages.notPaidEmpty : orderMessages.notPaid}</b>
        </output>
        <p className={styles['number']}>Order #{order.orderNumber}</p>
        <div className={styles['actions']}>
          <UnpaidActions userId={userId} order={order} />
        </div>
      </div>
    </section>
  );
}

/** The browser's Back led here, and may have scrolled the page down to its order button again. */
let isRestored = globalThis.performance
  ?.getEntriesByType('navigation')
  .some((entry) => (entry as PerformanceNavigationTiming).type === 'back_forward');

/** Scrolls once. After that, the page stays where the customer scrolled it. */
function showNotice(notice: HTMLElement | null): void {
  if (notice && isRestored && scrollY > 0) notice.scrollIntoView({ block: 'center' });
  if (notice) isRestored = false;
}

/** @returns the order that this tab went to pay; read again when the browser restores the page from its back/forward cache */
function usePaying(userId: string): string | undefined {
  const [orderId, read] = useReducer(() => findPaying(userId), userId, findPaying);
  useEffect(
    () =>
      listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => {
        if (!persisted) return;
        isRestored = true;
        read();
      }),
    [],
  );
  return orderId;
}
