import { type OrderStatus, statusLabels } from '../../../shared/orders';
import form from '../form.module.css';
import { shortTimeOf } from '../when';
import type { Order } from './queries';
import styles from './Timeline.module.css';

/** The way of an order that goes well; what it has not reached yet is hollow. */
const usual: readonly OrderStatus[] = ['PENDING_PAYMENT', 'PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'];

export function Timeline({ order: { timeline, orderStatus } }: { order: Pick<Order, 'timeline' | 'orderStatus'> }) {
  const toCome = usual.includes(orderStatus) ? usual.slice(usual.indexOf(orderStatus) + 1) : [];
  return (
    <div>
      <h2 className={form['heading']}>Timeline</h2>
      <ol className={styles['timeline']}>
        {timeline.map((event) => (
          <li key={`${event.at} ${event.status}`}>
            {event.status === 'PENDING_PAYMENT' ? 'Order placed' : statusLabels[event.status]}
            <small>{[shortTimeOf(event.at), event.by].filter(Boolean).join(', ')}</small>
            {event.note && <small>{event.note}</small>}
          </li>
        ))}
        {toCome.map((status) => (
          <li key={status} className={styles['toCome']}>
            {statusLabels[status]}
          </li>
        ))}
      </ol>
    </div>
  );
}
