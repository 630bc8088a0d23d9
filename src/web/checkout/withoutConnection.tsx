/**
 * The checkout without a connection. Orders cannot be placed, but if a saved address is on this device, an order can be
 * prepared and then waits. All of it is in a separate chunk, which the online checkout does not need.
 * Rule: docs/rules/orders-and-payment.md, Ordering while offline
 */
import type { UseQueryResult } from '@tanstack/react-query';
import { connectionMessages } from '../../shared/connection';
import type { Schema } from '../../shared/contract';
import { intentMessages } from '../../shared/intent';
import { formatMoney, toCents } from '../../shared/money';
import { offlineQuote } from '../../shared/offlineQuote';
import { ConnectionNotice } from '../connection/ConnectionNotice';
import notice from '../connection/ConnectionNotice.module.css';
import { Icon } from '../ui/Icon';
import { shortTime } from '../ui/localTime';
import { UnpaidOrder } from '../unpaid/UnpaidOrder';
import { OrderWhenOnline } from './OrderWhenOnline';
import { type PartsOffline, waitId } from './offlineParts';
import type { Placing } from './usePlacing';
import { isCompleteFor } from './useTotal';
import styles from './withoutConnection.module.css';

export { dropIntent, intentQuery } from '../waiting/intent';
export { ReadyOrderPage } from './ReadyOrderPage';

interface Props {
  userId: string;
  placing: Placing;
  account: Pick<UseQueryResult<Schema<'User'>>, 'data' | 'isPending'>;
  /** When the server last returned the cart, in ms; 0: never. */
  asOf: number;
}

/** After Back from the payment page: its order. It is in this chunk because the first view does not need it either. */
export const leftUnpaid = (userId: string, isCartEmpty = false) => (
  <UnpaidOrder userId={userId} isCartEmpty={isCartEmpty} />
);

/** @returns what the checkout shows in place of its own parts */
export function withoutConnection({ userId, placing, account, asOf }: Props): PartsOffline {
  if (account.isPending) return { placing: withoutFailure(placing) };
  if (!account.data?.addresses.length)
    return {
      placing: withoutFailure(placing),
      notice: (
        <ConnectionNotice what="check out" id={waitId} {...(account.data && { more: connectionMessages.kept })} />
      ),
    };
  const prepared = withDeviceTotal(placing);
  const time = asOf > 0 ? shortTime(asOf) : undefined;
  return {
    placing: prepared,
    notice: <PrepareNotice />,
    from: <p className={styles['from']}>{intentMessages.fromHere}</p>,
    asOf: time && <p className={styles['asOf']}>{intentMessages.asOf(time)}</p>,
    summary: {
      instead: <OrderWhenOnline userId={userId} placing={prepared} asOf={asOf} />,
      foot: <p className={styles['foot']}>{intentMessages.kept}</p>,
    },
  };
}

function PrepareNotice() {
  return (
    <p id={waitId} className={notice['notice']}>
      <Icon name="cloudOff" />
      <span>
        <b>{intentMessages.canPrepare}</b>
        {intentMessages.howItWaits}
      </span>
    </p>
  );
}

/** The notice above already says that the shop is unreachable. */
function withoutFailure({ total: { failure: _failure, ...total }, ...placing }: Placing): Placing {
  return { ...placing, total };
}

/** With sums computed from what this device last received from the shop. */
function withDeviceTotal(placing: Placing): Placing {
  const { total, ...rest } = withoutFailure(placing);
  const { cart, address } = rest;
  const choice = { state: address?.state, methodId: total.wish.methodId };
  const quote = offlineQuote(cart?.cartItems ?? [], total.terms, choice, total.shop);
  const isComplete = isCompleteFor(total.terms, choice.state);
  return {
    ...rest,
    total: {
      ...total,
      quote,
      state: choice.state,
      isComplete,
      methodId: quote.deliveryMethodId,
      isCurrent: true,
      isLoading: false,
      takesCodes: false,
      announcement: isComplete && quote.total !== null ? `Total ${formatMoney(toCents(quote.total))}` : '',
    },
  };
}
