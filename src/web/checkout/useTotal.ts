import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { goodsCents } from '../../shared/cart';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { parseCode } from '../../shared/pastedCodes';
import { formatMoney, toCents } from '../../shared/money';
import { findDraft, useDraft } from '../users/drafts';
import { cartQuery } from '../cart/queries';
import { ApiError, sentenceOf } from '../server/errors';
import { session } from '../server/session';
import { shopQuery } from '../settings/queries';
import type { ChosenAddress } from './chosenAddress';
import { type QuoteRequest, quoteQuery, TotalChanged } from './queries';

type Quote = Schema<'Quote'>;

interface Options {
  userId: string;
  /** The server's cart: quotes do not include unsent changes. */
  cart: Schema<'Cart'> | undefined;
  address: ChosenAddress | undefined;
  /** It may be known in a moment: a quote without it would be requested in vain. */
  isAddressPending: boolean;
  /** The choices of an order that waits for a connection. */
  initial: Wish | undefined;
  isForm: true | undefined;
  /** Clears the previous error. */
  onChange: () => void;
}

export type Total = ReturnType<typeof useTotal>;

/**
 * The order's total and the customer's choices for it. The server computes every sum: a choice requests a new quote,
 * and the last good one stays until it arrives. If the owner set no delivery, tax or codes, no quote is requested.
 * Rule: docs/rules/orders-and-payment.md, The checkout page
 */
export function useTotal({ userId, cart, address, isAddressPending, initial, isForm, onChange }: Options) {
  const cache = useQueryClient();
  const terms = useTerms();
  const [chosen, setChosen] = useState(() => (isForm ? findDraft(userId, 'wish') : undefined));
  const wish: Wish = { ...initial, ...chosen };
  const [hasMoreThanGoods, setMoreThanGoods] = useState(false); // an error's quote had delivery, tax or a discount
  useDraft(userId, 'wish', () => (isForm && toSave(wish, chosen)) ?? findDraft(userId, 'wish'));
  const hasTotal = terms.isAnySet || hasMoreThanGoods;
  const request: QuoteRequest = { userId, cart, state: address?.state, methodId: wish.methodId, code: wish.code };
  const { quote, state, read, isCurrent, replaced, isOfOtherCart } = useLastQuote(
    request,
    hasTotal && !isAddressPending,
  );
  const isComplete = isCompleteFor(terms.checkout, state);
  const before = quote?.discount?.code;
  const dropCode = () => setChosen(withCode(chosen, before === wish.code ? undefined : before));
  const { refused, setRefused } = useRefusedCode(read.error, wish.code, dropCode);
  useEffect(() => {
    if (isOfOtherCart)
      void cache.invalidateQueries(cartQuery(userId), { throwOnError: true }).then(
        () => read.refetch(),
        () => undefined, // it is refetched on focus and on reconnect
      );
    // oxlint-disable-next-line react/exhaustive-deps -- once for each response
  }, [isOfOtherCart]);

  const choose = (choice: Wish) => {
    onChange();
    setRefused(undefined);
    setChosen({ ...chosen, ...choice });
  };
  /** After the order was rejected: shows the total from the error, or requests a new one. */
  const handleError = (error: unknown) => {
    if (error instanceof TotalChanged) {
      cache.setQueryData(quoteQuery(request).queryKey, error.quote);
      if (error.quote.deliveryMethods ?? error.quote.tax ?? error.quote.discount) setMoreThanGoods(true);
      void cache.invalidateQueries({ queryKey: shopQuery.queryKey });
      void cache.invalidateQueries({ queryKey: cartQuery(userId).queryKey });
    } else if (isAboutCode(error, wish.code) && wish.code !== undefined) {
      setRefused(sentenceOf(error));
      setChosen(withCode(chosen, undefined));
    } else if (hasTotal) void read.refetch();
  };

  return {
    terms: terms.checkout,
    shop: terms.shop,
    wish,
    /** The choices made on this page. */
    chosen,
    /** Delivery, tax or codes are set, so there is a total beside the Subtotal. */
    hasTotal,
    takesCodes: terms.takesCodes || wish.code !== undefined,
    isComplete,
    quote,
    /** The state that delivery and tax in `quote` are for. */
    state,
    /** The quote matches the current choices, so the order may be placed with its total. */
    isCurrent,
    isLoading: read.isFetching || isAddressPending,
    hasAddress: address !== undefined,
    ...(read.error && !read.isFetching && !isAboutCode(read.error, wish.code) && { failure: read }),
    methodId: isCurrent ? quote?.deliveryMethodId : (wish.methodId ?? quote?.deliveryMethodId),
    code: wish.code,
    refusedCode: refused,
    note: wish.note ?? '',
    /** For screen readers. */
    announcement: useLastAnnouncement(isCurrent && isComplete ? totalInWords(quote, replaced) : undefined),
    chooseMethod: (methodId: string) => choose({ methodId }),
    applyCode: (text: string) => choose({ code: parseCode(text) ?? text.trim() }),
    removeCode: () => {
      onChange();
      setRefused(undefined);
      setChosen(withCode(chosen, undefined));
    },
    setNote: (note: string) => setChosen({ ...chosen, note }),
    handleError,
  };
}

/** The customer's choices apart from the address. */
export type Wish = NonNullable<ReturnType<typeof findDraft<'wish'>>>;

/**
 * A waiting order is deleted with its session, so after a logout the form's shown values are saved for the next login.
 */
export const toSave = <Part>(shown: Part, chosen: Part): Part => (session.get() === null ? shown : chosen);

const withCode = ({ code: _before, ...chosen }: Wish = {}, code: string | undefined): Wish => ({
  ...chosen,
  ...(code !== undefined && { code }),
});

const noTerms = { deliveryMethods: [], taxRates: [], takesCodes: false };

/** The owner's settings, refetched whenever the checkout opens. */
function useTerms() {
  const { data } = useQuery({ ...shopQuery, refetchOnMount: 'always' });
  const checkout = data?.checkout ?? noTerms;
  const { takesCodes } = checkout;
  return {
    shop: { territories: data?.territories === true },
    checkout,
    takesCodes,
    isAnySet: takesCodes || !isCompleteFor(checkout, undefined),
  };
}

/** @returns whether the total is final: it is for an address, or the owner set neither delivery nor tax */
export const isCompleteFor = (
  { deliveryMethods, taxRates }: Schema<'ShopCheckout'>,
  state: string | undefined,
): boolean => state !== undefined || (deliveryMethods.length === 0 && taxRates.length === 0);

/** The quote for the current choices; until it arrives the previous one, with the state it was for. */
function useLastQuote(request: QuoteRequest, isNeeded: boolean) {
  const read = useQuery({ ...quoteQuery(request), ...(!isNeeded && { enabled: false }) });
  const [last, setLast] = useState<{ quote: Quote; state: string | undefined; replaced?: string }>();
  if (read.data && read.data !== last?.quote) {
    const [code, before] = [read.data.discount?.code, last?.quote.discount?.code];
    const isReplaced = code !== undefined && before !== undefined && code !== before;
    setLast({
      quote: read.data,
      state: request.state,
      ...(isReplaced && { replaced: messages.replaced(code, before) }),
    });
  }
  const isAnswered = read.isSuccess && !read.isFetching;
  // the cart changed on another device: its lines must be shown before they are ordered
  const isOfOtherCart =
    isNeeded && isAnswered && toCents(read.data.goods) !== goodsCents(request.cart?.cartItems ?? []);
  return {
    quote: read.data ?? last?.quote,
    state: read.data ? request.state : last?.state,
    replaced: last?.replaced,
    read,
    isCurrent: isAnswered && !isOfOtherCart,
    isOfOtherCart,
  };
}

/** The error of a rejected code, until another choice is made. */
function useRefusedCode(error: Error | null, code: string | undefined, onRefused: () => void) {
  const [refused, setRefused] = useState<string>();
  useEffect(() => {
    if (!isAboutCode(error, code)) return;
    setRefused(sentenceOf(error));
    onRefused();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each error
  }, [error]);
  return { refused, setRefused };
}

/** A code was rejected, too many wrong ones were tried, or with this code the total is too small. */
const isAboutCode = (error: unknown, code: string | undefined): boolean =>
  error instanceof ApiError &&
  (error.code.startsWith('discount_') ||
    error.code === 'too_many_attempts' ||
    (code !== undefined && error.code === 'total_too_small'));

const totalInWords = (quote: Quote | undefined, replaced = '') =>
  typeof quote?.total === 'number' ? `${replaced} Total ${formatMoney(toCents(quote.total))}`.trim() : undefined;

/** Keeps the last text while there is no new one: removing and restoring it would announce it twice. */
function useLastAnnouncement(text: string | undefined): string {
  const [last, setLast] = useState('');
  if (text !== undefined && text !== last) setLast(text);
  return text ?? last;
}
