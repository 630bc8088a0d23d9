import { Spinner } from '@chakra-ui/react/spinner';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { orderSays } from '../../shared/orders';
import { ButtonLink } from '../ui/ButtonLink';
import { FailureNotice } from '../ui/FailureNotice';
import { PageHead } from '../ui/PageHead';
import { Pagination } from '../ui/Pagination';
import { OrderCard } from './OrderCard';
import styles from './OrdersPage.module.css';
import { ordersQuery } from './queries';

const route = getRouteApi('/shop/signed-in/customer/orders');

export function OrdersPage() {
  const { user } = route.useRouteContext();
  const { page = 1 } = route.useSearch();
  const { data: orders, error, refetch } = useQuery(ordersQuery(user.id, page));
  return (
    <div className="wrap">
      <PageHead title="Orders">
        <ButtonLink to="/" variant="outline">
          Back to Home
        </ButtonLink>
      </PageHead>
      {orders && <OrderList orders={orders} page={page} />}
      {!orders && error && <FailureNotice sentence={orderSays.historyFailed} onRetry={refetch} />}
      {!orders && !error && (
        <output>
          <Spinner aria-hidden="true" /> <span className="sr-only">Loading your orders</span>
        </output>
      )}
    </div>
  );
}

function OrderList({ orders, page }: { orders: Schema<'OrderPage'>; page: number }) {
  if (orders.content.length === 0) return <NoOrders />;
  return (
    <>
      <div className={styles['list']}>
        {orders.content.map((order) => (
          <OrderCard key={order.id} order={order} />
        ))}
      </div>
      <Pagination page={page} totalPages={orders.totalPages} />
    </>
  );
}

function NoOrders() {
  return (
    <div className={styles['none']}>
      <p>{orderSays.noOrders}</p>
      <ButtonLink to="/products/$category" params={{ category: 'savory' }}>
        <span className="cap">savory</span>
      </ButtonLink>
      <ButtonLink to="/products/$category" params={{ category: 'spices' }} variant="outline">
        <span className="cap">spices</span>
      </ButtonLink>
    </div>
  );
}
