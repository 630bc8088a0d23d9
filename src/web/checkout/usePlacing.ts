import { useEffect, useRef, useState } from 'react';
import { subtotalCents } from '../../shared/cart';
import { payAfterMs, messages, whyNotPlaceable } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import type { Intent } from '../../shared/intent';
import { findDraft, useDraft } from '../users/drafts';
import { listen } from '../browser/listen';
import { useOpenChanges } from '../cart/openChanges';
import { useCart } from '../cart/useCart';
import { sentenceOf } from '../server/errors';
import { toast } from '../ui/toast';
import { addressOf, type Choice, type ChosenAddress, usualChoice } from './chosenAddress';
import { goToPaymentPage, offerPayment, type GoToPay, type OnPlaced, usePlaceOrder } from './queries';
import { toSave, type Total, useTotal } from './useTotal';

export type Placing = ReturnType<typeof usePlacing>;

interface Options {
  /** The customer's account, with the saved addresses. */
  account?: Schema<'User'> | undefined;
  /** The account is loading. */
  isAccountPending?: boolean;
  /** The choices of an order that waits for a connection. */
  initial?: Pick<Intent, 'savedId' | 'address' | 'wish'> | undefined;
  /** This is the checkout form: choices made in this tab override `initial`. */
  isForm?: true;
  /** The cart as it will be once this press has accepted the listed changes. */
  cart?: Schema<'Cart'> | undefined;
  accept?: () => Promise<void>;
  /** The cart was ordered, so no order waits anymore. Called even if the page was left meanwhile. */
  onPlaced: OnPlaced;
}

/**
 * The chosen address, the order's total there, and the placing of the order with both.
 * @param savedCart the server's cart, without unsent changes
 */
export function usePlacing(userId: string, savedCart: Schema<'Cart'> | undefined, options: Options) {
  const ownCart = useCart(userId);
  const cart = options.cart ?? ownCart;
  const place = usePlaceOrder(options.onPlaced, useGoToPay());
  const isSending = useRef(false); // set before the next render, so that Enter and a simultaneous click place one order
  const [chosen, setChosen] = useState(() => (options.isForm ? findDraft(userId, 'delivery') : undefined));
  const [firstAttempt, setFirstAttempt] = useState<Pick<Options, 'initial'>>(); // the value at the first attempt to place, from then on fixed
  const { initial } = firstAttempt ?? options;
  const usual = options.isForm && options.account && usualChoice(options.account);
  const choice: Choice | undefined = chosen ?? initial ?? usual;
  useDraft(userId, 'delivery', () => (options.isForm && toSave(choice, chosen)) ?? findDraft(userId, 'delivery'));
  const [orderedAddress, setOrderedAddress] = useState<ChosenAddress>();
  const [wasIncomplete, setIncomplete] = useState(false); // at the last attempt to place
  const isProcessing = place.isPending || Boolean(place.data?.paymentUrl);
  // a saved address is used as it is now, even if another device changed it, and not at all if it was deleted
  const address = isProcessing ? orderedAddress : addressOf(choice, options.account);
  const total = useTotal({
    userId,
    cart: savedCart,
    address,
    isAddressPending: options.isAccountPending === true && choice === undefined,
    initial: initial?.wish,
    isForm: options.isForm,
    onChange: place.reset,
  });
  useReturn(() => {
    isSending.current = false; // after its reset, the mutation no longer calls onSettled
    place.reset();
  });
  const missing = whyNotPlaceable({ cartId: cart?.cartId, address, customer: address?.fullName, userId });
  const choose = (next: Choice) => {
    setChosen(next);
    setIncomplete(false);
    place.reset();
  };
  const submit = () => {
    if (isProcessing || isSending.current) return;
    setIncomplete(missing !== undefined);
    if (missing) toast.error(missing);
    else if (cart && address) {
      const { fullName: customer, ...deliveryAddress } = address;
      isSending.current = true;
      setOrderedAddress(address);
      setFirstAttempt({ initial });
      const order = { customer, deliveryAddress, ...chargeOf(total, cart) };
      const onSettled = () => (isSending.current = false);
      place.mutate(
        { userId, cartId: cart.cartId, order, accept: options.accept },
        { onSettled, onError: total.handleError },
      );
    }
  };
  const problem = (wasIncomplete && missing) || whyNotPaid(place);
  const toReview = useOpenChanges(userId, cart);
  const openChanges = options.isForm ? toReview : 0; // the page of a waiting order lists them itself
  const isLeaving = Boolean(place.data?.paymentUrl);
  return { cart, choice, address, choose, submit, isProcessing, isLeaving, openChanges, problem, total };
}

/**
 * The shown total is charged, or nothing. Without a quote the Subtotal is the total.
 * Rule: docs/rules/orders-and-payment.md, The quote
 */
function chargeOf({ hasTotal, quote, note }: Total, cart: Schema<'Cart'>): Partial<Schema<'NewOrder'>> {
  if (!hasTotal || !quote) return { expectedTotal: fromCents(subtotalCents(cart.cartItems)) };
  return {
    expectedTotal: quote.total,
    deliveryMethodId: quote.deliveryMethodId,
    discountCode: quote.discount?.code ?? null,
    ...(note.trim() !== '' && quote.deliveryMethodId !== null && { deliveryNote: note.trim() }),
  };
}

function whyNotPaid({ error, data }: ReturnType<typeof usePlaceOrder>): string | undefined {
  if (error) return sentenceOf(error, messages.failed);
  return data && !data.paymentUrl ? messages.noUrlInAnswer : undefined;
}

/**
 * @returns redirects to the payment page after a moment; if the customer leaves our page before that, shows a toast
 * that asks them to pay. Runs when the answer arrives, not after the render, because the page may be left by then.
 */
function useGoToPay(): GoToPay {
  const isLeft = useRef(false);
  const stop = useRef<() => void>(undefined);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      stop.current?.();
    };
  }, []);
  useReturn(() => stop.current?.());
  return (userId, placed) => {
    if (isLeft.current) return offerPayment(userId, placed);
    const timer = setTimeout(() => {
      stop.current = undefined;
      goToPaymentPage(userId, placed);
    }, payAfterMs);
    stop.current = () => {
      stop.current = undefined;
      clearTimeout(timer);
      offerPayment(userId, placed);
    };
  };
}

/** Calls `onReturn` when the browser restores our page from its back/forward cache, with the buttons still busy. */
function useReturn(onReturn: () => void): void {
  useEffect(
    () => listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => persisted && onReturn()),
    [onReturn],
  );
}
