import { subtotalCents } from '../../shared/cart';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { totalLines } from '../../shared/totalLines';
import { stateName } from '../../shared/usStates';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Subtotal } from '../ui/Subtotal';
import { TotalLines } from '../ui/TotalLines';
import { Waiting } from '../ui/Waiting';
import styles from './OrderTotal.module.css';
import type { Total } from './useTotal';

interface Props {
  total: Total;
  /** The visible cart lines, for when there is no quote. */
  cart: readonly Schema<'CartItem'>[] | undefined;
}

/** The lines of the quote. While a new one loads, the last one stays, dimmed. */
export function OrderTotal({ total, cart }: Props) {
  const { quote, state, isCurrent, isComplete, isLoading, hasAddress } = total;
  if (!quote && isLoading)
    return (
      <Waiting what="the total">
        <SkeletonRows rows={4} />
      </Waiting>
    );
  if (!quote) return cart ? <Goods cart={cart} hasAddress={hasAddress} /> : null;
  const lines = totalLines(partsOf(quote, state));
  if (isNotServed(quote)) lines.push({ label: 'Delivery', text: `Not available in ${stateName(state ?? '')}` });
  return (
    <>
      <TotalLines
        lines={lines}
        grand={isComplete ? grandOf(quote) : undefined}
        isOlder={!isCurrent}
        isBusy={!isCurrent && isLoading}
      />
      {!isComplete && !hasAddress && <p className={styles['later']}>{messages.chooseAddress}</p>}
    </>
  );
}

function Goods({ cart, hasAddress }: { cart: readonly Schema<'CartItem'>[]; hasAddress: boolean }) {
  return (
    <>
      <Subtotal cents={subtotalCents(cart)} />
      {!hasAddress && <p className={styles['later']}>{messages.chooseAddress}</p>}
    </>
  );
}

/** Whether the owner delivers, but not to this address. */
export const isNotServed = (quote: Schema<'Quote'> | undefined): boolean => quote?.deliveryMethods?.length === 0;

function grandOf({ total }: Schema<'Quote'>) {
  return total === null ? undefined : { label: 'Total', text: formatMoney(toCents(total)) };
}

function partsOf({ goods, discount, deliveryMethods, deliveryMethodId, delivery, tax }: Schema<'Quote'>, state = '') {
  const method = deliveryMethods?.find(({ id }) => id === deliveryMethodId);
  return {
    goods,
    discount,
    delivery: method ? { name: method.name, price: delivery ?? 0 } : null,
    tax: tax && { state, ...tax },
  };
}
