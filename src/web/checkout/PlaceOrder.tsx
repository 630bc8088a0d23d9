import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { messages } from '../../shared/checkout';
import { formatMoney, toCents } from '../../shared/money';
import { stateName } from '../../shared/usStates';
import { isMissing, sentenceOf } from '../server/errors';
import { ActionButton } from '../ui/ActionButton';
import { LaterIcon } from '../ui/LaterIcon';
import { isNotServed } from './OrderTotal';
import styles from './PlaceOrder.module.css';
import type { Placing } from './usePlacing';

const reasonId = 'not-served';

interface Props {
  placing: Placing;
  /** The id of the element that says why the page waits for a connection or a response, if it does. */
  waitId: string | undefined;
  /** Replaces the button and its total. */
  instead?: ReactNode;
}

/**
 * The button below the total, with any reason why the order cannot be placed. On a phone both are in a bar above the
 * tab bar.
 */
export function PlaceOrder({ placing, waitId, instead }: Props) {
  const { total, address, problem, isProcessing, submit } = placing;
  const { quote, state, failure, isCurrent } = total;
  const isRefused = isNotServed(quote);
  const isOff = !address || !isCurrent || isRefused || waitId !== undefined;
  return (
    <div className={styles['bar']}>
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
      {instead ?? (
        <>
          <Sum quote={quote} isComplete={total.isComplete} isOlder={!isCurrent} />
          <ActionButton
            size="lg"
            className={styles['place'] ?? ''}
            isBusy={isProcessing}
            busyText="Processing..."
            isOff={isOff}
            aria-describedby={isRefused ? reasonId : waitId}
            onClick={submit}
          >
            Place Order
          </ActionButton>
        </>
      )}
      {isRefused && (
        <p id={reasonId} className={styles['reason']}>
          <LaterIcon name="info" size={16} />
          {messages.noDelivery(stateName(state ?? ''))}
        </p>
      )}
    </div>
  );
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

interface SumProps extends Pick<Placing['total'], 'quote' | 'isComplete'> {
  totalLabel?: string;
  /** The quote does not match the current choices. */
  isOlder?: boolean;
}

/** The total in a phone's bar, where the lines are out of view. Without a complete total, the goods alone. */
export function Sum({ quote, isComplete, totalLabel = 'Total', isOlder = false }: SumProps) {
  if (!quote) return null;
  const total = isComplete ? quote.total : null;
  return (
    <p className={`tabular ${styles['sum']} ${isOlder ? styles['older'] : ''}`}>
      <small>{total === null ? 'Subtotal' : totalLabel}</small>
      <b>{formatMoney(toCents(total ?? quote.goods))}</b>
    </p>
  );
}
