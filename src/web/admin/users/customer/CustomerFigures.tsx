import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../../shared/counts';
import { customerMessages } from '../../../../shared/customers';
import { formatMoney, toCents } from '../../../../shared/money';
import { ReadFailure } from '../../../connection/ReadFailure';
import { Waiting } from '../../../ui/Waiting';
import box from '../../ui/box.module.css';
import { useShopDay } from '../../ui/useShopDay';
import styles from './customer.module.css';
import { type Summary, summaryQuery } from './queries';

/** What the customer bought: paid orders, less refunds. Rule: docs/rules/back-office.md, A customer's page */
export function CustomerFigures({ userId }: { userId: string }) {
  const read = useQuery(summaryQuery(userId));
  const { data, error } = read;
  if (!data && error) return <ReadFailure read={read} failure={customerMessages.getCustomerSummary.failure} />;
  if (!data)
    return (
      <Waiting what="the figures" className={styles['figures']}>
        {[1, 2, 3, 4].map((card) => (
          <span key={card} className={`skeleton ${styles['figureWaiting']}`} />
        ))}
      </Waiting>
    );
  return <Figures {...data} />;
}

function Figures({ orders, toShip, spent, firstOrderAt, lastOrderAt }: Summary) {
  const dayOf = useShopDay();
  const cents = toCents(spent);
  const average = orders > 0 ? formatMoney(Math.round(cents / orders)) : none;
  return (
    <div className={styles['figures']}>
      <Figure name="Spent" value={formatMoney(cents)} about="After refunds" />
      <Figure name="Orders" value={formatCount(orders)} about={`${formatCount(toShip)} to ship`} />
      <Figure name="Average order" value={average} about="Spent per order" />
      <Figure
        name="Last order"
        value={lastOrderAt ? dayOf(lastOrderAt) : none}
        about={firstOrderAt ? `First: ${dayOf(firstOrderAt)}` : customerMessages.noPaidOrder}
      />
    </div>
  );
}

const none = '–';

const Figure = ({ name, value, about }: { name: string; value: string; about: string }) => (
  <div className={`${box['box']} ${styles['figure']}`}>
    <span>{name}</span>
    <b>{value}</b>
    <small>{about}</small>
  </div>
);
