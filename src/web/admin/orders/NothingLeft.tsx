import { packingMessages as messages, type OrdersWithNothingLeft } from '../../../shared/packing';
import { Icon } from '../../ui/Icon';
import notice from '../ui/notice.module.css';
import styles from './paper.module.css';

/** Names the chosen orders that are not on the paper. */
export function NothingLeft({ orders }: { orders: OrdersWithNothingLeft }) {
  if (orders.length === 0) return null;
  return (
    <div className={`${notice['notice']} ${styles['offPaper']}`}>
      <Icon name="exclamation" />
      <p>{messages.nothingLeft(orders)}</p>
    </div>
  );
}
