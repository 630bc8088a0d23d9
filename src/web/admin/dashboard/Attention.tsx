import { formatCount } from '../../../shared/counts';
import { ActionButton } from '../../ui/ActionButton';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { alarmLabels, alarmMessages } from '../../../shared/ordersStaff';
import { ReadFailure } from '../../connection/ReadFailure';
import { useShopTime } from '../../ui/shopTime';
import { alarmsQuery, useSettleAlarm } from '../orders/queries';
import box from '../ui/box.module.css';
import styles from './dashboard.module.css';

const maxShown = 5;

/** Open alarms; renders nothing if there are none. */
export function Attention() {
  const read = useQuery(alarmsQuery());
  const { data } = read;
  const { shortTimeOf } = useShopTime();
  const { mutate: settle, isPending } = useSettleAlarm();
  if (!data && read.error) return <ReadFailure read={read} failure={alarmMessages.failure} />;
  if (!data || data.totalElements === 0) return null;
  const more = data.totalElements - maxShown;
  return (
    <section className={box['box']} aria-labelledby="attention-heading">
      <header>
        <h2 id="attention-heading">Needs attention</h2>
      </header>
      <ul className={styles['alarms']}>
        {data.content.slice(0, maxShown).map(({ id, kind, detail, orderId, orderNumber, createdAt }) => (
          <li key={id}>
            <p>
              <b>{alarmLabels[kind]}</b>
              <br />
              {detail}{' '}
              {orderId && (
                <Link to="/admin/orders/$orderId" params={{ orderId }} className={`link ${styles['order']}`}>
                  Order #{orderNumber}
                </Link>
              )}
              {kind === 'large_hold' && (
                <Link to="/admin/holds" className={`link ${styles['order']}`}>
                  Reserved stock
                </Link>
              )}
              <small>{shortTimeOf(createdAt)}</small>
            </p>
            <ActionButton variant="outline" isOff={isPending} onClick={() => settle(id)}>
              Resolve
            </ActionButton>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles['none']}>{`${formatCount(more)} more`}</p>}
    </section>
  );
}
