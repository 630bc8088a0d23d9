import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { offlineSays } from '../../shared/offline';
import { orderSays } from '../../shared/orders';
import { AccountFrame } from '../account/AccountFrame';
import { CategoryLinks } from '../catalog/CategoryLinks';
import { ConnectionNotice } from '../offline/ConnectionNotice';
import { savedTime } from '../offline/savedTime';
import { useHonestSentence } from '../offline/useHonestSentence';
import { useIsOnline } from '../offline/useIsOnline';
import { ButtonLink } from '../ui/ButtonLink';
import { FailureNotice } from '../ui/FailureNotice';
import { Pagination } from '../ui/Pagination';
import { OrderActions } from './OrderActions';
import { OrderCard } from './OrderCard';
import { OrderSkeleton } from './OrderSkeleton';
import styles from './OrdersPage.module.css';
import { ordersQuery } from './queries';

const offlineId = 'reorder-waits';
const route = getRouteApi('/shop/signed-in/customer/orders');

export function OrdersPage() {
  const { user } = route.useRouteContext();
  const { page = 1 } = route.useSearch();
  const { data: orders, error, refetch } = useQuery(ordersQuery(user.id, page));
  const failure = useHonestSentence(orderSays.historyFailed);
  const home = (
    <ButtonLink to="/" variant="outline">
      Back to Home
    </ButtonLink>
  );
  return (
    <AccountFrame title="Orders" action={home}>
      {orders?.savedAt && <p className={styles['updated']}>{offlineSays.lastUpdated(savedTime(orders.savedAt))}</p>}
      {orders && <OrderList userId={user.id} orders={orders} page={page} />}
      {!orders && error && <FailureNotice sentence={failure} onRetry={refetch} />}
      {!orders && !error && (
        <div className={styles['list']} aria-busy="true">
          <output className="sr-only">Loading your orders</output>
          {[1, 2, 3].map((order) => (
            <OrderSkeleton key={order} />
          ))}
        </div>
      )}
    </AccountFrame>
  );
}

function OrderList({ userId, orders, page }: { userId: string; orders: Schema<'OrderPage'>; page: number }) {
  const isOnline = useIsOnline();
  if (orders.content.length === 0) return <NoOrders />;
  return (
    <div className={styles['list']}>
      {!isOnline && <ConnectionNotice what="Ordering again" id={offlineId} />}
      {orders.content.map((order) => (
        <OrderCard key={order.id} order={order}>
          <OrderActions userId={userId} order={order} offlineId={isOnline ? undefined : offlineId} />
        </OrderCard>
      ))}
      <Pagination page={page} totalPages={orders.totalPages} isAlwaysThere />
    </div>
  );
}

function NoOrders() {
  return (
    <div className={styles['none']}>
      <p>{orderSays.noOrders}</p>
      <CategoryLinks />
    </div>
  );
}
