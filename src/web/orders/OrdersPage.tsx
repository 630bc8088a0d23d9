import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { Schema } from '../../shared/contract';
import { connectionMessages } from '../../shared/connection';
import { orderMessages } from '../../shared/orders';
import { hasReceipt } from '../../shared/receipt';
import { AccountFrame } from '../users/AccountFrame';
import { CategoryLinks } from '../catalog/core/CategoryLinks';
import { ConnectionNotice } from '../connection/ConnectionNotice';
import { savedTime } from '../connection/savedTime';
import { ReadFailure } from '../connection/ReadFailure';
import { useIsOnline } from '../server/reachability';
import { UnpaidActions } from '../unpaid/UnpaidActions';
import { ActionButton } from '../ui/ActionButton';
import { ButtonLink } from '../ui/ButtonLink';
import { Pagination } from '../ui/Pagination';
import { Waiting } from '../ui/Waiting';
import { OrderCard } from './OrderCard';
import card from './OrderCard.module.css';
import skeleton from './OrderSkeleton.module.css';
import styles from './OrdersPage.module.css';
import { ordersQuery } from './queries';
import { usePutBack } from './usePutBack';
import { lazyPart } from '../ui/lazyPart';

const offlineId = 'reorder-waits';
const route = getRouteApi('/shop/signed-in/customer/orders');

export function OrdersPage() {
  const { user } = route.useRouteContext();
  const { page = 1 } = route.useSearch();
  const read = useQuery(ordersQuery(user.id, page));
  const { data: orders, error } = read;
  const home = (
    <ButtonLink to="/" variant="outline">
      Back to Home
    </ButtonLink>
  );
  return (
    <AccountFrame title="Orders" action={home}>
      {orders?.savedAt && (
        <p className={styles['updated']}>{connectionMessages.lastUpdated(savedTime(orders.savedAt))}</p>
      )}
      {orders && <OrderList userId={user.id} orders={orders} page={page} />}
      {!orders && error && <ReadFailure read={read} failure={orderMessages.historyFailed} />}
      {!orders && !error && (
        <Waiting what="your orders" className={styles['list']}>
          {[1, 2, 3].map((order) => (
            <OrderSkeleton key={order} />
          ))}
        </Waiting>
      )}
    </AccountFrame>
  );
}

function OrderList({ userId, orders, page }: { userId: string; orders: Schema<'OrderPage'>; page: number }) {
  const isOnline = useIsOnline();
  if (page > orders.totalPages && orders.totalPages > 0) return <ToLastPage page={orders.totalPages} />;
  if (orders.content.length === 0) return <NoOrders />;
  return (
    <div className={styles['list']}>
      {!isOnline && <ConnectionNotice what="reorder" id={offlineId} />}
      {orders.content.map((order) => (
        <OrderCard key={order.id} order={order}>
          <OrderActions userId={userId} order={order} offlineId={isOnline ? undefined : offlineId} />
        </OrderCard>
      ))}
      <Pagination page={page} totalPages={orders.totalPages} isAlwaysThere />
    </div>
  );
}

/** Redirects from a page beyond the last one: an older link, or a device with fewer orders saved than the shop has. */
function ToLastPage({ page }: { page: number }) {
  return <Navigate to="." search={(before) => ({ ...before, page: page === 1 ? undefined : page })} replace />;
}

function NoOrders() {
  return (
    <div className={styles['none']}>
      <p>{orderMessages.noOrders}</p>
      <CategoryLinks />
    </div>
  );
}

/** A card with one item, while the orders load. */
function OrderSkeleton() {
  return (
    <div className={card['order']}>
      <div className={skeleton['head']}>
        <span className={`skeleton ${skeleton['number']}`} />
      </div>
      <div className={card['body']}>
        <div className={card['item']}>
          <span className={`skeleton ${skeleton['picture']}`} />
          <span className={`skeleton ${skeleton['number']}`} />
        </div>
        <div className={`${card['facts']} ${skeleton['facts']}`}>
          <span className={`skeleton ${skeleton['number']}`} />
        </div>
      </div>
    </div>
  );
}

const ReorderDialog = lazyPart(() => import('./ReorderDialog'), 'ReorderDialog');

interface ActionProps {
  userId: string;
  order: Schema<'Order'>;
  /** The id of the notice about the missing connection, if there is one. */
  offlineId: string | undefined;
}

/** A customer's actions on an order: print its receipt, or order it again. */
function OrderActions({ userId, order, offlineId }: ActionProps) {
  const [isAsking, setAsking] = useState(false);
  const { id, orderNumber } = order;
  const putBack = usePutBack(userId);
  if (order.orderStatus === 'PENDING_PAYMENT')
    return <UnpaidActions userId={userId} order={order} putBack={(canceled) => void putBack(canceled)} />;
  return (
    <>
      {hasReceipt(order) && (
        <ButtonLink
          to="/customer/orders/$orderId/receipt"
          params={{ orderId: id }}
          variant="outline"
          aria-label={`Receipt for order ${orderNumber}`}
        >
          Receipt
        </ButtonLink>
      )}
      <ActionButton
        variant="outline"
        isOff={offlineId !== undefined}
        aria-describedby={offlineId}
        aria-label={`Reorder order ${orderNumber}`}
        onClick={() => setAsking(true)}
      >
        Reorder
      </ActionButton>
      {isAsking && (
        <Suspense>
          <ReorderDialog userId={userId} orderId={id} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
