import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { orderMessages } from '../../shared/orders';
import { orderLines } from '../../shared/totalLines';
import { useSizeThen } from '../catalog/core/useSizeOf';
import { InstallOffer } from '../device/InstallOffer';
import { SaveCart } from '../lists/core/SaveCart';
import { orderQuery } from '../orders/queries';
import { userQuery } from '../users/queries';
import type { Session } from '../server/session';
import { AddressLines } from '../ui/AddressLines';
import { Button } from '../ui/Button';
import { ButtonLink } from '../ui/ButtonLink';
import { Disc } from '../ui/Disc';
import { FailureNotice } from '../ui/FailureNotice';
import { Heading } from '../ui/Heading';
import { LaterIcon, type LaterIconName } from '../ui/LaterIcon';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Thumbnail } from '../ui/Thumbnail';
import { TotalLines } from '../ui/TotalLines';
import { Waiting } from '../ui/Waiting';
import styles from './ThankYou.module.css';

interface Props {
  user: Pick<Session, 'id' | 'fullName'>;
  payment: Schema<'Payment'>;
}

/** The paid order: its number, where the receipt goes, the address, the items, and the ways on. */
export function ThankYou({ user, payment }: Props) {
  const { orderId, orderNumber, delivery } = payment;
  const read = useQuery(orderQuery(user.id, orderId));
  const { data: order } = read;
  const { data: account } = useQuery(userQuery(user.id));
  const [firstName = ''] = user.fullName.trim().split(/\s+/);
  return (
    <div className={`wrap ${styles['split']}`}>
      <div className={styles['words']}>
        <Disc icon="check" tone="success" />
        <Heading as="h1" textStyle="h1" tabIndex={-1}>
          {orderMessages.thanks(firstName)}
        </Heading>
        <p className="text-lead muted">
          Order <b>#{orderNumber}</b> is confirmed.{account && ` ${orderMessages.receiptTo(account.email)}`}
        </p>
        {delivery && (
          <Fact icon="truck" name="Delivery">
            <b>{delivery.name}</b>
            <br />
            {orderMessages.mailedWhenShipped}
          </Fact>
        )}
        {order && (
          <Fact icon="pin" name="Ship to">
            <AddressLines name={order.customer} address={order.deliveryAddress} />
          </Fact>
        )}
        <div className={styles['ways']}>
          <ButtonLink to="/customer/orders" size="lg">
            View order
          </ButtonLink>
          <ButtonLink to="/" size="lg" variant="outline">
            Keep shopping
          </ButtonLink>
          {order && <SaveCart userId={user.id} cart={{ cartItems: order.orderItems }} isOrder />}
        </div>
        <InstallOffer />
      </div>
      <YourOrder payment={payment} read={read} />
    </div>
  );
}

function Fact({ icon, name, children }: { icon: LaterIconName; name: string; children: ReactNode }) {
  return (
    <div className={styles['fact']}>
      <span className={styles['icon']}>
        <LaterIcon name={icon} />
      </span>
      <div>
        <p className={styles['small']}>{name}</p>
        <p>{children}</p>
      </div>
    </div>
  );
}

interface YourOrderProps {
  payment: Schema<'Payment'>;
  /** The read of the order, for its items. */
  read: Pick<UseQueryResult<Schema<'Order'>>, 'data' | 'error' | 'refetch'>;
}

function YourOrder({ payment, read }: YourOrderProps) {
  const { data: order, error } = read;
  const sizeThen = useSizeThen();
  const grand = { label: 'Total amount', text: formatMoney(toCents(payment.totalAmount)) };
  return (
    <section className={`panel ${styles['order']}`} aria-label="Your order">
      <Heading as="h2" textStyle="h3">
        Your order
      </Heading>
      {!order && error && (
        <FailureNotice sentence={orderMessages.itemsFailed}>
          <Button size="sm" variant="outline" onClick={() => void read.refetch()}>
            Try again
          </Button>
        </FailureNotice>
      )}
      {!order && !error && (
        <Waiting what="your order">
          <SkeletonRows rows={3} hasPictures />
        </Waiting>
      )}
      {order && (
        <ul>
          {order.orderItems.map((item) => (
            <li key={item.orderItemId} className={styles['item']}>
              <Thumbnail imageUrl={item.imageUrl} />
              <div>
                <p className={styles['name']}>{item.productName}</p>
                <p className={styles['small']}>{sizeThen(item, `Quantity: ${item.quantity}`)}</p>
              </div>
              <span className="tabular">{formatMoney(toCents(item.totalPrice))}</span>
            </li>
          ))}
        </ul>
      )}
      <TotalLines lines={orderLines(payment)} grand={grand} />
      <Link
        to="/customer/orders/$orderId/receipt"
        params={{ orderId: payment.orderId }}
        className={`link ${styles['receipt']}`}
      >
        Receipt
      </Link>
    </section>
  );
}
