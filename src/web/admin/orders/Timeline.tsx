import type { Schema } from '../../../shared/contract';
import { type OrderStatus, statusLabels } from '../../../shared/orders';
import { orderStaffSays } from '../../../shared/ordersStaff';
import { useShopTime } from '../../ui/shopTime';
import form from '../ui/form.module.css';
import type { Order } from './queries';
import styles from './Timeline.module.css';

/** The usual statuses of an order; those not reached yet are hollow. */
const usual: readonly OrderStatus[] = ['PENDING_PAYMENT', 'PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'];

export function Timeline({
  order: { timeline, orderStatus },
  declines,
}: {
  order: Pick<Order, 'timeline' | 'orderStatus'>;
  declines: Schema<'PaymentDecline'>[];
}) {
  const { shortTimeOf } = useShopTime();
  const toCome = usual.includes(orderStatus) ? usual.slice(usual.indexOf(orderStatus) + 1) : [];
  return (
    <div>
      <h2 className={form['heading']}>Timeline</h2>
      <ol className={styles['timeline']}>
        {[...timeline.map(toStep), ...declines.map(toDecline)].toSorted(byTime).map(({ at, what, by, note }) => (
          <li key={`${at} ${what}`}>
            {what}
            <small>{[shortTimeOf(at), by].filter(Boolean).join(', ')}</small>
            {note && <small>{note}</small>}
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

type Step = { at: string; what: string; by: string | null; note?: string | null };

const toStep = ({ status, ...step }: Order['timeline'][number]): Step => ({
  ...step,
  what: status === 'PENDING_PAYMENT' ? 'Order placed' : statusLabels[status],
});

/** In the provider's own words, such as `insufficient_funds`. */
const toDecline = ({ at, reason }: Schema<'PaymentDecline'>): Step => ({
  at,
  what: orderStaffSays.declined,
  by: null,
  note: reason?.replaceAll('_', ' ') ?? null,
});

const byTime = (one: Step, other: Step) => one.at.localeCompare(other.at);
