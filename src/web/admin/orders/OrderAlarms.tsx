import { Button } from '../../ui/Button';
import { useQuery } from '@tanstack/react-query';
import { alarmLabels } from '../../../shared/ordersStaff';
import { Icon } from '../../ui/Icon';
import styles from './OrderPage.module.css';
import { alarmsQuery, useSettleAlarm } from './queries';

/** What of this order needs a person's attention. */
export function OrderAlarms({ orderId }: { orderId: string }) {
  const { data } = useQuery(alarmsQuery());
  const { mutate: settle } = useSettleAlarm();
  const alarms = data?.content.filter((alarm) => alarm.orderId === orderId) ?? [];
  return alarms.map(({ id, kind, detail }) => (
    <section key={id} className={styles['alarm']} aria-label="Needs attention">
      <Icon name="alert" />
      <p>
        <b>{alarmLabels[kind]}</b>
        <br />
        {detail}
      </p>
      <Button variant="outline" onClick={() => settle(id)}>
        Settle
      </Button>
    </section>
  ));
}
