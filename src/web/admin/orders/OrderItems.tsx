import { Link } from '@tanstack/react-router';
import { formatMoney, toCents } from '../../../shared/money';
import { Thumbnail } from '../../ui/Thumbnail';
import form from '../form.module.css';
import { AdminIcon } from '../shell/AdminIcon';
import styles from './OrderPage.module.css';
import type { Order } from './queries';

export function OrderItems({ order }: { order: Order }) {
  return (
    <section className={styles['box']} aria-labelledby="items-heading">
      <header>
        <h2 id="items-heading" className={form['heading']}>
          Items
        </h2>
      </header>
      <ul className={styles['items']}>
        {order.orderItems.map(({ orderItemId, productId, productName, imageUrl, quantity, totalPrice }) => (
          <li key={orderItemId} className={styles['item']}>
            {imageUrl ? (
              <Thumbnail imageUrl={imageUrl} />
            ) : (
              <span className="thumb">
                <AdminIcon name="image" size={24} />
              </span>
            )}
            <div>
              <Link to="/view/product/$id" params={{ id: productId }} className={styles['name']}>
                {productName}
              </Link>
              <p className={styles['muted']}>Quantity: {quantity}</p>
            </div>
            <b className={`tabular ${styles['price']}`}>{formatMoney(toCents(totalPrice))}</b>
          </li>
        ))}
      </ul>
      <p className={styles['sum']}>
        <span>Total</span>
        <span className={`tabular ${styles['price']}`}>{formatMoney(toCents(order.totalAmount))}</span>
      </p>
    </section>
  );
}
