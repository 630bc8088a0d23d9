import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { orderSays } from '../../shared/orders';
import { AccountFrame } from '../account/AccountFrame';
import { CategoryLinks } from '../catalog/CategoryLinks';
import { ButtonLink } from '../ui/ButtonLink';
import { FailureNotice } from '../ui/FailureNotice';
import { Pagination } from '../ui/Pagination';
import { OrderCard } from './OrderCard';
import { OrderSkeleton } from './OrderSkeleton';
import styles from './OrdersPage.module.css';
import { ordersQuery } from './queries';

const route = getRouteApi('/shop/signed-in/customer/orders');

export function OrdersPage() {
  const { user } = route.useRouteContext();
  const { page = 1 } = route.useSearch();
  const { data: orders, error, refetch } = useQuery(ordersQuery(user.id, page));
  const home = (
    <ButtonLink to="/" variant="outline">
      Back to Home
    </ButtonLink>
  );
  return (
    <AccountFrame title="Orders" action={home}>
      {orders && <OrderList orders={orders} page={page} />}
      {!orders && error && <FailureNotice sentence={orderSays.historyFailed} onRetry={refetch} />}
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

function OrderList({ orders, page }: { orders: Schema<'OrderPage'>; page: number }) {
  if (orders.content.length === 0) return <NoOrders />;
  return (
    <div className={styles['list']}>
      {orders.content.map((order) => (
        <OrderCard key={order.id} order={order} />
      ))}
      <Pagination page={page} totalPages={orders.totalPages} />
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
