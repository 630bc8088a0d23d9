import type { OrdersWithNothingLeft } from '../../../shared/packing';
import { AdminIcon } from '../ui/AdminIcon';
import notice from '../ui/notice.module.css';
import styles from './paper.module.css';

interface Props {
  orders: OrdersWithNothingLeft;
  text: (orders: OrdersWithNothingLeft) => string;
}

/** Names some of the chosen orders above the paper, if any. */
export function OrdersNotice({ orders, text }: Props) {
  if (orders.length === 0) return null;
  return (
    <div className={`${notice['notice']} ${styles['offPaper']}`}>
      <AdminIcon name="info" />
      <p>{text(orders)}</p>
    </div>
  );
}
