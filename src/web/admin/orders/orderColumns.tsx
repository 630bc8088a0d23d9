import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatMoney, toCents } from '../../../shared/money';
import { columnsOf } from '../table/features';
import { RowMenu } from '../table/RowMenu';
import { settingsQuery } from '../settings/queries';
import { dayIn } from '../when';
import styles from './orders.module.css';
import { type Order, useMoveOrder, useShownStatus } from './queries';
import { StatusBadge } from './StatusBadge';
import { statusChoice } from './statusChoice';

const { accessor, columns, display } = columnsOf<Order>();

/** Source: specification §2 */
export const orderColumns = columns([
  accessor('orderNumber', {
    header: 'Order ID',
    cell: ({ row: { original } }) => (
      <Link to="/admin/orders/$orderId" params={{ orderId: original.id }} className={styles['number']}>
        #{original.orderNumber}
      </Link>
    ),
    meta: { onPhone: 'title' },
  }),
  accessor('createdAt', {
    header: 'Order Date',
    cell: ({ getValue }) => <OrderDay at={getValue()} />,
    meta: { isMuted: true },
  }),
  accessor('customer', { header: 'Customer Name' }),
  accessor('totalAmount', {
    header: 'Amount',
    cell: ({ getValue }) => formatMoney(toCents(getValue())),
    meta: { isFigure: true },
  }),
  accessor('orderStatus', {
    id: 'status',
    header: 'Status',
    cell: ({ row: { original } }) => <Status order={original} />,
  }),
  display({
    id: 'menu',
    header: () => <span className="sr-only">Menu</span>,
    cell: ({ row: { original } }) => <OrderMenu order={original} />,
  }),
]);

const OrderDay = ({ at }: { at: string }) => dayIn(useQuery(settingsQuery()).data?.timeZone, at);

const Status = ({ order }: { order: Order }) => <StatusBadge status={useShownStatus(order)} />;

function OrderMenu({ order }: { order: Order }) {
  const { mutate: move } = useMoveOrder(order);
  return (
    <RowMenu
      of={`#${order.orderNumber}`}
      choice={statusChoice(useShownStatus(order), (status) => move({ orderId: order.id, status }))}
      entries={[{ label: 'View Order', icon: 'eye', to: `/admin/orders/${order.id}` }]}
    />
  );
}
