import { useState } from 'react';
import type { Schema } from '../../shared/contract';
import { orderMessages } from '../../shared/orders';
import { useIsOnline } from '../server/reachability';
import { ActionButton } from '../ui/ActionButton';
import { buttonClass } from '../ui/Button';
import { focusHeading } from '../ui/focusHeading';
import { shortTime } from '../ui/localTime';
import { notePaying } from './paying';
import { useCancelOrder } from './queries';
import styles from './UnpaidOrder.module.css';

interface Props {
  userId: string;
  order: Schema<'Order'>;
  putBack?: (order: Schema<'Order'>) => void;
}

/** Until when the items are held, and what can be done with an order that awaits its payment. */
export function UnpaidActions({ userId, order, putBack }: Props) {
  const isOnline = useIsOnline();
  const [now] = useState(Date.now);
  const cancel = useCancelOrder(userId, putBack);
  const { id, orderNumber, paymentUrl, heldUntil } = order;
  const until = heldUntil === undefined ? 0 : Date.parse(heldUntil);
  return (
    <>
      {until > now && <p className={styles['held']}>{orderMessages.heldUntil(shortTime(until))}</p>}
      {paymentUrl && (
        <a
          href={paymentUrl}
          className={buttonClass({})}
          aria-label={`Pay now for order ${orderNumber}`}
          onClick={({ ctrlKey, metaKey, shiftKey }) => {
            if (!ctrlKey && !metaKey && !shiftKey) notePaying(userId, id); // another tab would not lead back here
          }}
        >
          Pay now
        </a>
      )}
      <ActionButton
        variant="ghost"
        colorPalette="error"
        isOff={!isOnline}
        isBusy={cancel.isPending}
        aria-label={`Cancel order ${orderNumber}`}
        onClick={() => cancel.mutate(id, { onSuccess: () => focusHeading() })}
      >
        Cancel order
      </ActionButton>
    </>
  );
}
