import { useEffect, useRef, useState } from 'react';
import { subtotalCents } from '../../shared/cart';
import { payAfterMs, messages, whyNotPlaceable } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import type { Intent } from '../../shared/intent';
import { findDraft, useDraft } from '../account/drafts';
import { listen } from '../browser/listen';
import { useCart } from '../cart/queries';
import { sentenceOf } from '../server/errors';
import { toast } from '../ui/toast';
import { addressOf, type Choice, type ChosenAddress } from './chosenAddress';
import { askToPay, type GoToPay, type OnPlaced, usePlaceOrder } from './queries';
import { toKeep, type Total, useTotal } from './useTotal';

export type Placing = ReturnType<typeof usePlacing>;

interface Asked {
  /** The customer, with the saved addresses. */
  account?: Schema<'User'> | undefined;
  /** What was chosen for an order that waits for a connection. */
  begun?: Pick<Intent, 'savedId' | 'address' | 'wish'> | undefined;
  /** What was chosen here, in this tab, takes the place of `begun`. */
  isForm?: true;
  /** As it is once the press has accepted what is listed. */
  cart?: Schema<'Cart'> | undefined;
  accept?: () => Promise<void>;
  /** The cart is ordered: none waits any more. Called also when the page was left meanwhile. */
  onPlaced: OnPlaced;
}

/**
 * The address that was chosen, what the order costs there, and the order that is placed with both.
 * @param savedCart the server's cart, without changes that wait
 */
export function usePlacing(userId: string, savedCart: Schema<'Cart'> | undefined, asked: Asked) {
  const ownCart = useCart(userId);
  const cart = asked.cart ?? ownCart;
  const place = usePlaceOrder(asked.onPlaced, useGoToPay());
  const isSending = useRef(false); // set before the next render, so that Enter and a click at once place one order
  const [chosen, setChosen] = useState(() => (asked.isForm ? findDraft(userId, 'delivery') : undefined));
  const [first, setFirst] = useState<Pick<Asked, 'begun'>>(); // as it was when placing was first tried, and stays
  const { begun } = first ?? asked;
  const choice: Choice | undefined = chosen ?? begun;
  useDraft(userId, 'delivery', () => (asked.isForm && toKeep(choice, chosen)) ?? findDraft(userId, 'delivery'));
  const [ordered, setOrdered] = useState<ChosenAddress>();
  const [wasIncomplete, setIncomplete] = useState(false); // when placing was last tried
  const isProcessing = place.isPending || Boolean(place.data?.paymentUrl);
  // a saved address goes as it is now, also where another device has changed it, and not at all where it was deleted
  const address = isProcessing ? ordered : addressOf(choice, asked.account);
  const total = useTotal({
    userId,
    cart: savedCart,
    address,
    begun: begun?.wish,
    isForm: asked.isForm,
    onChange: place.reset,
  });
  useReturn(() => {
    isSending.current = false; // a reset mutation no longer says that it has ended
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
      setOrdered(address);
      setFirst({ begun });
      const order = { customer, deliveryAddress, ...chargeOf(total, cart) };
      const onSettled = () => (isSending.current = false);
      place.mutate({ userId, cartId: cart.cartId, order, accept: asked.accept }, { onSettled, onError: total.heed });
    }
  };
  const said = (wasIncomplete && missing) || whyNotPaid(place);
  return { cart, choice, address, choose, submit, isProcessing, said, total };
}

/**
 * What is charged: the total that is shown, or nothing. Without a quote the Subtotal is the total.
 * Rule: docs/rules/orders-and-payment.md, The quote
 */
function chargeOf({ isSummed, quote, note }: Total, cart: Schema<'Cart'>): Partial<Schema<'NewOrder'>> {
  if (!isSummed || !quote) return { expectedTotal: fromCents(subtotalCents(cart.cartItems)) };
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
 * @returns leaves the shop for the payment page after a moment; whoever leaves our page before is asked to pay. It begins
 *   with the answer, and not once the page has drawn it, since that page may be left by then.
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
  return (userId, paymentUrl) => {
    if (isLeft.current) return askToPay(userId, paymentUrl);
    const timer = setTimeout(() => {
      stop.current = undefined;
      location.assign(paymentUrl);
    }, payAfterMs);
    stop.current = () => {
      stop.current = undefined;
      clearTimeout(timer);
      askToPay(userId, paymentUrl);
    };
  };
}

/** Calls `onReturn` when the browser brings our page back as it was, with its buttons still busy. */
function useReturn(onReturn: () => void): void {
  useEffect(
    () => listen(window, 'pageshow', ({ persisted }: PageTransitionEvent) => persisted && onReturn()),
    [onReturn],
  );
}
