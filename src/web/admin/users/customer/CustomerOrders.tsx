import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schema } from '../../../../shared/contract';
import { formatCount } from '../../../../shared/counts';
import { customerMessages } from '../../../../shared/customers';
import { formatMoney, toCents } from '../../../../shared/money';
import { orderMessages } from '../../../../shared/orders';
import { ReadFailure } from '../../../connection/ReadFailure';
import { OrderBadge, RefundedBadge } from '../../../orders/OrderParts';
import { ActionButton } from '../../../ui/ActionButton';
import { ButtonLink } from '../../../ui/ButtonLink';
import { SkeletonRows } from '../../../ui/SkeletonRows';
import { Waiting } from '../../../ui/Waiting';
import table from '../../table/DataTable.module.css';
import box from '../../ui/box.module.css';
import { useShopDay } from '../../ui/useShopDay';
import styles from './customer.module.css';
import { customerOrdersQuery, rowsShown } from './queries';

/** All orders of the account, also unpaid and canceled ones, newest first. */
export function CustomerOrders({ userId }: { userId: string }) {
  const [page, setPage] = useState(1);
  const read = useQuery(customerOrdersQuery(userId, page));
  const { data, error } = read;
  const all = data?.totalElements ?? 0;
  const first = (page - 1) * rowsShown + 1;
  return (
    <section className={box['box']} aria-labelledby="orders-heading">
      <header>
        <h2 id="orders-heading">Orders</h2>
      </header>
      {data && all === 0 && <p className={box['state']}>{customerMessages.noOrders}</p>}
      {data && all > 0 && (
        <>
          <Rows orders={data.content} />
          <div className={styles['foot']}>
            <span className="tabular">
              {`${formatCount(first)}–${formatCount(Math.min(all, first + rowsShown - 1))} of ${formatCount(all)}`}
            </span>
            <div className={styles['buttons']}>
              {data.totalPages > 1 && (
                <>
                  <ActionButton variant="ghost" isOff={page === 1} onClick={() => setPage(page - 1)}>
                    Newer
                  </ActionButton>
                  <ActionButton variant="ghost" isOff={page >= data.totalPages} onClick={() => setPage(page + 1)}>
                    Older
                  </ActionButton>
                </>
              )}
              <ButtonLink to="/ordered/products" search={{ customer: userId }} variant="ghost">
                View all orders
              </ButtonLink>
            </div>
          </div>
        </>
      )}
      {!data && error && (
        <div className={box['state']}>
          <ReadFailure read={read} failure={orderMessages.listOrders.failure} />
        </div>
      )}
      {!data && !error && (
        <Waiting what="the orders" className={styles['waiting']}>
          <SkeletonRows />
        </Waiting>
      )}
    </section>
  );
}

function Rows({ orders }: { orders: Schema<'Order'>[] }) {
  const dayOf = useShopDay();
  return (
    <table className={`${box['table']} ${table['table']} ${styles['orders']}`}>
      <thead>
        <tr>
          <th scope="col">Order</th>
          <th scope="col">Date</th>
          <th scope="col">Status</th>
          <th scope="col" className={table['figure']}>
            Items
          </th>
          <th scope="col" className={table['figure']}>
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr key={order.id}>
            <td className={table['titleOnPhone']}>
              <Link to="/admin/orders/$orderId" params={{ orderId: order.id }} className={`link ${styles['target']}`}>
                #{order.orderNumber}
              </Link>
            </td>
            <td className={table['muted']}>{dayOf(order.createdAt)}</td>
            <td>
              <span className={styles['badges']}>
                <OrderBadge order={order} />
                <RefundedBadge order={order} />
              </span>
            </td>
            <td data-name="Items" className={table['figure']}>
              {order.orderItems.reduce((units, { quantity }) => units + quantity, 0)}
            </td>
            <td className={`${table['figure']} ${styles['total']}`}>{formatMoney(toCents(order.totalAmount))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
