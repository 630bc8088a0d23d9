import { lazy, Suspense, useState } from 'react';
import type { Schema } from '../../shared/contract';
import { hasReceipt } from '../../shared/receipt';
import { ActionButton } from '../ui/ActionButton';
import { ButtonLink } from '../ui/ButtonLink';

const ReorderDialog = lazy(async () => ({ default: (await import('./ReorderDialog')).ReorderDialog }));

interface Props {
  userId: string;
  order: Schema<'Order'>;
  /** Names what says that there is no connection, while there is none. */
  offlineId: string | undefined;
}

/** What a customer can do with an order: print its receipt, and order the same again. */
export function OrderActions({ userId, order, offlineId }: Props) {
  const [isAsking, setAsking] = useState(false);
  const { id, orderNumber } = order;
  return (
    <>
      {hasReceipt(order) && (
        <ButtonLink
          to="/customer/orders/$orderId/receipt"
          params={{ orderId: id }}
          variant="outline"
          aria-label={`Receipt of order ${orderNumber}`}
        >
          Receipt
        </ButtonLink>
      )}
      <ActionButton
        variant="outline"
        isOff={offlineId !== undefined}
        aria-describedby={offlineId}
        aria-label={`Reorder ${orderNumber}`}
        onClick={() => setAsking(true)}
      >
        Reorder
      </ActionButton>
      {isAsking && (
        <Suspense>
          <ReorderDialog userId={userId} orderId={id} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
