import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { orderMessages } from '../../../shared/orders';
import { alarmLabels, alarmMessages, orderStaffMessages } from '../../../shared/ordersStaff';
import { ReadFailure } from '../../connection/ReadFailure';
import { ApiError } from '../../server/errors';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Waiting } from '../../ui/Waiting';
import { AdminHead } from '../ui/AdminHead';
import form from '../ui/form.module.css';
import { OrderActions } from './OrderActions';
import { OrderBadges } from './OrderBadges';
import { OrderFacts } from './OrderFacts';
import { OrderItems } from './OrderItems';
import styles from './OrderPage.module.css';
import { OrderPaper } from './OrderPaper';
import { OrderParcels } from './OrderParcels';
import { usePaper } from './OrderPaper';
import { OrderSkeleton } from './OrderSkeleton';
import notice from '../ui/notice.module.css';
import { alarmsQuery, orderQuery, useSettleAlarm } from './queries';

const toOrders = { to: '/ordered/products', label: 'Orders' };

export function AdminOrderPage() {
  const { orderId = '' } = useParams({ strict: false });
  const read = useQuery(orderQuery(orderId));
  const { data, error } = read;
  const isMissing = error instanceof ApiError && error.code === 'order_not_found';
  const order = data?.orderResponse;
  const { paper, print } = usePaper(order);
  return (
    <>
      <div className={`${styles['screen']} ${paper ? styles['asPaper'] : ''}`}>
        <AdminHead
          title={order ? `Order #${order.orderNumber}` : 'Order'}
          back={{ to: '/ordered/products', label: 'Back to Orders' }}
          beside={order && <OrderBadges order={order} />}
        >
          {data && <OrderActions order={data.orderResponse} onPrint={print} />}
        </AdminHead>
        {data && (
          <>
            <OrderAlarms orderId={orderId} />
            <div className={form['grid']}>
              <div className={form['stack']}>
                <OrderItems order={data.orderResponse} onPrint={print} />
                <OrderParcels order={data.orderResponse} onPrint={print} />
              </div>
              <OrderFacts order={data.orderResponse} details={data.details} />
            </div>
          </>
        )}
        {!data && isMissing && <p>{orderStaffMessages.noDetails}</p>}
        {!data && error && !isMissing && (
          <ReadFailure read={read} failure={orderMessages.getOrderForStaff.failure} back={toOrders} />
        )}
        {!data && !error && (
          <Waiting what="the order">
            <OrderSkeleton />
          </Waiting>
        )}
      </div>
      {paper && order && <OrderPaper paper={paper} order={order} />}
    </>
  );
}

/** The order's open alarms. */
function OrderAlarms({ orderId }: { orderId: string }) {
  const read = useQuery(alarmsQuery());
  const { data } = read;
  const { mutate: settle } = useSettleAlarm();
  if (!data && read.error) return <ReadFailure read={read} failure={alarmMessages.failure} back={toOrders} />;
  const alarms = data?.content.filter((alarm) => alarm.orderId === orderId) ?? [];
  return alarms.map(({ id, kind, detail }) => (
    <section key={id} className={notice['notice']} aria-label="Needs attention">
      <Icon name="alert" />
      <p>
        <b>{alarmLabels[kind]}</b>
        <br />
        {detail}
      </p>
      <Button variant="outline" onClick={() => settle(id)}>
        Resolve
      </Button>
    </section>
  ));
}
