import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { orderSays, type OrderStatus } from '../../../shared/orders';
import { orderStaffSays } from '../../../shared/ordersStaff';
import { ApiError } from '../../api/apiError';
import { useHonestSentence } from '../../offline/useHonestSentence';
import { FailureNotice } from '../../ui/FailureNotice';
import form from '../form.module.css';
import { AdminHead } from '../shell/AdminHead';
import { OrderActions } from './OrderActions';
import { OrderAlarms } from './OrderAlarms';
import { OrderFacts } from './OrderFacts';
import { OrderItems } from './OrderItems';
import { OrderNotes } from './OrderNotes';
import { OrderPaper } from './OrderPaper';
import styles from './OrderPage.module.css';
import { orderQuery, useShownStatus } from './queries';
import { OrderRefunds } from './OrderRefunds';
import { StatusBadge } from './StatusBadge';
import { usePaper } from './usePaper';

export function AdminOrderPage() {
  const { orderId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(orderQuery(orderId));
  const failure = useHonestSentence(orderSays.getOrderForStaff.failure);
  const isMissing = error instanceof ApiError && error.code === 'order_not_found';
  const order = data?.orderResponse;
  const { paper, print } = usePaper();
  return (
    <>
      <div className={`${styles['screen']} ${paper ? styles['asPaper'] : ''}`}>
        <AdminHead
          title={order ? `Order #${order.orderNumber}` : 'Order'}
          back={{ to: '/ordered/products', label: 'Back to Orders' }}
          beside={order && <Status id={order.id} orderStatus={order.orderStatus} />}
        >
          {data && <OrderActions order={data.orderResponse} onPrint={print} />}
        </AdminHead>
        {data && (
          <>
            <OrderAlarms orderId={orderId} />
            <div className={form['grid']}>
              <div className={`${form['stack']} ${styles['main']}`}>
                <OrderItems order={data.orderResponse} />
                <OrderRefunds order={data.orderResponse} />
                <OrderNotes key={orderId} orderId={orderId} notes={data.details.notes} />
              </div>
              <OrderFacts order={data.orderResponse} details={data.details} />
            </div>
          </>
        )}
        {!data && isMissing && <p>{orderStaffSays.noDetails}</p>}
        {!data && error && !isMissing && <FailureNotice sentence={failure} onRetry={refetch} />}
        {!data && !error && <output className={`skeleton ${form['waiting']}`} aria-label="Loading the order" />}
      </div>
      {paper && order && <OrderPaper kind={paper} order={order} />}
    </>
  );
}

const Status = (order: { id: string; orderStatus: OrderStatus }) => <StatusBadge status={useShownStatus(order)} />;
