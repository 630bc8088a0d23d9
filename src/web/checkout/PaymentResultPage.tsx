import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { orderMessages } from '../../shared/orders';
import { isNoConnection, sentenceOf } from '../server/errors';
import { forgetPaying } from '../unpaid/paying';
import { ButtonLink } from '../ui/ButtonLink';
import { Disc } from '../ui/Disc';
import { EmptyState } from '../ui/EmptyState';
import { focusHeading } from '../ui/focusHeading';
import styles from './PaymentResultPage.module.css';
import { type PaymentReturn, paymentQuery } from './paymentQuery';
import { ThankYou } from './ThankYou';

const route = getRouteApi('/shop/signed-in/customer/order/success');

/**
 * The page the payment page redirects to.
 * Rule: docs/rules/orders-and-payment.md, The payment result page
 */
export function PaymentResultPage() {
  const { session_id, user_id, cart_id } = route.useSearch();
  if (!session_id || !user_id || !cart_id) return <Failed reason={orderMessages.missingPayment} />;
  return <PaymentResult back={{ session_id, user_id, cart_id }} />;
}

function PaymentResult({ back }: { back: PaymentReturn }) {
  const { user } = route.useRouteContext();
  const { data: payment, error, failureReason } = useQuery(paymentQuery(user.id, back));
  const isKnown = Boolean(payment ?? error);
  useEffect(() => {
    if (!isKnown) return;
    forgetPaying(); // paid, or the reason is shown here
    focusHeading();
  }, [isKnown]);
  if (payment?.isGivenBack) return <Failed reason={orderMessages.givenBack} />;
  if (payment) return <ThankYou user={user} payment={payment} />;
  if (error) return <Failed reason={sentenceOf(error, orderMessages.paymentFailed)} />;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <output> must not contain a heading
    <div role="status">
      <EmptyState
        title={orderMessages.processing}
        {...(failureReason && {
          text: isNoConnection(failureReason) ? orderMessages.checkAgain : orderMessages.checkSoon,
        })}
        art={<Ring />}
        isAiry
      />
    </div>
  );
}

function Failed({ reason }: { reason: string }) {
  return (
    <EmptyState title={orderMessages.paymentError} text={reason} art={<Disc icon="exclamation" tone="error" />} isAiry>
      <ButtonLink to="/cart" size="lg">
        Back to Cart
      </ButtonLink>
    </EmptyState>
  );
}

/** A ring that turns around the ampersand; still with reduced motion. */
function Ring() {
  return (
    <svg className={styles['ring']} viewBox="0 0 88 88" aria-hidden="true">
      <circle cx="44" cy="44" r="38" />
      <path d="M44 6a38 38 0 0 1 38 38" />
      <text x="44" y="57" textAnchor="middle">
        &amp;
      </text>
    </svg>
  );
}
