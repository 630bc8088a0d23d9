import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { subtotalCents } from '../../shared/cart';
import { reviewChanges } from '../../shared/cartNotice';
import { messages } from '../../shared/checkout';
import { formatMoney, toCents } from '../../shared/money';
import { stateName } from '../../shared/usStates';
import { isMissing, sentenceOf } from '../server/errors';
import { ActionButton } from '../ui/ActionButton';
import { ButtonLink } from '../ui/ButtonLink';
import { LaterIcon } from '../ui/LaterIcon';
import { isNotServed } from './OrderTotal';
import styles from '../cart/OrderBar.module.css';
import type { Placing } from './usePlacing';

const reasonId = 'not-served';
const chooseId = 'choose-address';

/** The id of the section with the addresses. */
export const addressId = 'shipping-address';

interface Props {
  placing: Placing;
  /** The id of the element that says why the page waits for a connection or a response, if it does. */
  waitId: string | undefined;
  /** Replaces the button and its total. */
  instead?: ReactNode;
}

/**
 * The button below the total, with any reason why the order cannot be placed. On a phone both are in a bar above the
 * tab bar, so that they are always in sight.
 */
export function PlaceOrder({ placing, waitId, instead }: Props) {
  const { total, problem } = placing;
  const { state, failure } = total;
  return (
    <div className={styles['bar']} data-bar="">
      {failure && (
        <p className={styles['problem']} role="alert">
          {sentenceOf(failure.error, messages.quoteOrder.failure)} <NextStep read={failure} />
        </p>
      )}
      {problem && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      {instead ?? <OrderButton placing={placing} waitId={waitId} />}
      {isNotServed(total.quote) && (
        <p id={reasonId} className={styles['reason']}>
          <LaterIcon name="info" size={16} />
          {messages.noDelivery(stateName(state ?? ''))}
        </p>
      )}
      {!instead && waitId === undefined && (
        <p className={styles['safe']}>
          <LaterIcon name="lock" size={16} />
          {messages.securely}
        </p>
      )}
    </div>
  );
}

/** The order button, or what has to be done before it. */
function OrderButton({ placing, waitId }: Omit<Props, 'instead'>) {
  const { total, cart, address, isProcessing, isLeaving, openChanges, submit } = placing;
  const isRefused = isNotServed(total.quote);
  const isTotalOld = total.hasTotal && !total.isCurrent;
  const mustChoose = cart !== undefined && !address && !total.isLoading && waitId === undefined;
  const reason = isRefused ? reasonId : mustChoose ? chooseId : waitId;
  if (openChanges > 0 && !isProcessing)
    return (
      <>
        <Sum placing={placing} />
        <ButtonLink to="/cart" size="lg" className={styles['place']}>
          {reviewChanges(openChanges)}
        </ButtonLink>
      </>
    );
  return (
    <>
      {mustChoose && (
        <p className={styles['reason']} id={chooseId}>
          <LaterIcon name="info" size={16} />
          <button type="button" className="link" onClick={goToAddress}>
            {messages.pickAddress}
          </button>
        </p>
      )}
      <Sum placing={placing} isOlder={isTotalOld} />
      <ActionButton
        size="lg"
        className={styles['place'] ?? ''}
        isBusy={isProcessing}
        busyText={isLeaving ? messages.leaving : 'Processing...'}
        isOff={!address || isTotalOld || isRefused || waitId !== undefined}
        aria-describedby={reason}
        onClick={submit}
      >
        Place Order
      </ActionButton>
    </>
  );
}

/** Scrolls to the address and focuses its first choice, or the button that asks for a new one. */
function goToAddress(): void {
  const first = document.querySelector<HTMLElement>(`#${addressId} :is(input, button)`);
  first?.scrollIntoView({ block: 'center' });
  first?.focus({ preventScroll: true });
}

/** Retries; if the cart no longer exists, links to the cart instead. */
function NextStep({ read: { error, refetch } }: { read: NonNullable<Placing['total']['failure']> }) {
  if (isMissing(error))
    return (
      <Link to="/cart" className="link">
        Cart
      </Link>
    );
  return (
    <button type="button" className="link" onClick={() => void refetch()}>
      Try again
    </button>
  );
}

interface SumProps {
  placing: Pick<Placing, 'total' | 'cart'>;
  totalLabel?: string;
  /** The quote does not match the current choices. */
  isOlder?: boolean;
}

/** The total in a phone's bar, where the lines are out of view. Without a complete total, the goods alone. */
export function Sum({ placing: { total, cart }, totalLabel = 'Total', isOlder = false }: SumProps) {
  const { quote, isComplete } = total;
  const whole = isComplete && quote ? quote.total : null;
  const cents = quote ? toCents(whole ?? quote.goods) : cart && subtotalCents(cart.cartItems);
  if (cents === undefined) return null;
  return (
    <p className={`tabular ${styles['sum']} ${isOlder ? styles['older'] : ''}`}>
      <small>{whole === null ? 'Subtotal' : totalLabel}</small>
      <b>{formatMoney(cents)}</b>
    </p>
  );
}
