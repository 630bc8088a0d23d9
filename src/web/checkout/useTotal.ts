import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { goodsCents } from '../../shared/cart';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { parseCode } from '../../shared/discounts';
import { formatMoney, toCents } from '../../shared/money';
import { findDraft, useDraft } from '../account/drafts';
import { cartQuery } from '../cart/queries';
import { ApiError, sentenceOf } from '../server/errors';
import { session } from '../server/session';
import { shopQuery } from '../settings/queries';
import type { ChosenAddress } from './chosenAddress';
import { type QuoteAsked, quoteQuery, TotalChanged } from './queries';

type Quote = Schema<'Quote'>;

interface Asking {
  userId: string;
  /** As the server has it: changes that wait are in no quote yet. */
  cart: Schema<'Cart'> | undefined;
  address: ChosenAddress | undefined;
  /** What was chosen for an order that waits for a connection. */
  begun: Wish | undefined;
  isForm: true | undefined;
  /** What was said of placing the order holds no more. */
  onChange: () => void;
}

export type Total = ReturnType<typeof useTotal>;

/**
 * What the order costs, and what the customer chose for it. Every sum is the shop's: a choice asks for a new quote, and
 * until it is there the last good one stays. Where the owner set nothing it asks for none.
 * Rule: docs/rules/orders-and-payment.md, The checkout page
 */
export function useTotal({ userId, cart, address, begun, isForm, onChange }: Asking) {
  const cache = useQueryClient();
  const terms = useTerms();
  const [chosen, setChosen] = useState(() => (isForm ? findDraft(userId, 'wish') : undefined));
  const wish: Wish = { ...begun, ...chosen };
  const [wasTold, setTold] = useState(false); // by a refusal, of more than the goods
  useDraft(userId, 'wish', () => (isForm && toKeep(wish, chosen)) ?? findDraft(userId, 'wish'));
  const isSummed = terms.isAnySet || wasTold;
  const asked: QuoteAsked = { userId, cart, state: address?.state, methodId: wish.methodId, code: wish.code };
  const { quote, state, read, isCurrent, replaced, isOfOtherCart } = useLastGood(asked, isSummed);
  const isWhole = isWholeOf(terms.checkout, state);
  const before = quote?.discount?.code;
  const dropCode = () => setChosen(withCode(chosen, before === wish.code ? undefined : before));
  const { refused, setRefused } = useRefusedCode(read.error, wish.code, dropCode);
  useEffect(() => {
    if (isOfOtherCart)
      void cache.invalidateQueries(cartQuery(userId), { throwOnError: true }).then(
        () => read.refetch(),
        () => undefined, // it is read again on focus, and with a connection
      );
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer
  }, [isOfOtherCart]);

  const choose = (choice: Wish) => {
    onChange();
    setRefused(undefined);
    setChosen({ ...chosen, ...choice });
  };
  /** After a refusal of the order: what it tells of the total is shown, or asked for. */
  const heed = (error: unknown) => {
    if (error instanceof TotalChanged) {
      cache.setQueryData(quoteQuery(asked).queryKey, error.quote);
      if (error.quote.deliveryMethods ?? error.quote.tax ?? error.quote.discount) setTold(true);
      void cache.invalidateQueries({ queryKey: shopQuery.queryKey });
      void cache.invalidateQueries({ queryKey: cartQuery(userId).queryKey });
    } else if (isAboutCode(error, wish.code) && wish.code !== undefined) {
      setRefused(sentenceOf(error));
      setChosen(withCode(chosen, undefined));
    } else if (isSummed) void read.refetch();
  };

  return {
    terms: terms.checkout,
    wish,
    /** What of it was chosen here. */
    chosen,
    /** Delivery, tax or codes are set, so there is a total beside the Subtotal. */
    isSummed,
    takesCodes: terms.takesCodes || wish.code !== undefined,
    isWhole,
    quote,
    /** Whose delivery and tax are in `quote`. */
    state,
    /** The quote is of what is chosen now: the order may be placed with its total. */
    isCurrent,
    isAsking: read.isFetching,
    ...(read.error && !read.isFetching && !isAboutCode(read.error, wish.code) && { failure: read }),
    methodId: isCurrent ? quote?.deliveryMethodId : (wish.methodId ?? quote?.deliveryMethodId),
    code: wish.code,
    refusedCode: refused,
    note: wish.note ?? '',
    /** For screen readers. */
    said: useLastSaid(isCurrent && isWhole ? totalInWords(quote, replaced) : undefined),
    chooseMethod: (methodId: string) => choose({ methodId }),
    applyCode: (text: string) => choose({ code: parseCode(text) ?? text.trim() }),
    removeCode: () => {
      onChange();
      setRefused(undefined);
      setChosen(withCode(chosen, undefined));
    },
    setNote: (note: string) => setChosen({ ...chosen, note }),
    heed,
  };
}

/** What the customer chose for it, beside the address. */
export type Wish = NonNullable<ReturnType<typeof findDraft<'wish'>>>;

/** The order that waits goes with its session; what the form showed of it is there again after the login. */
export const toKeep = <Part>(shown: Part, chosen: Part): Part => (session.get() === null ? shown : chosen);

const withCode = ({ code: _before, ...chosen }: Wish = {}, code: string | undefined): Wish => ({
  ...chosen,
  ...(code !== undefined && { code }),
});

const noTerms = { deliveryMethods: [], taxRates: [], takesCodes: false };

/** What the owner set, read anew when the checkout is opened. */
function useTerms() {
  const { data } = useQuery({ ...shopQuery, refetchOnMount: 'always' });
  const checkout = data?.checkout ?? noTerms;
  const { takesCodes } = checkout;
  return { checkout, takesCodes, isAnySet: takesCodes || !isWholeOf(checkout, undefined) };
}

/** @returns whether nothing more comes to a total: it is of an address, or the owner set neither delivery nor tax */
export const isWholeOf = ({ deliveryMethods, taxRates }: Schema<'ShopCheckout'>, state: string | undefined): boolean =>
  state !== undefined || (deliveryMethods.length === 0 && taxRates.length === 0);

/** The quote of what is chosen now, and until it is there the one before, which keeps the name of its own state. */
function useLastGood(asked: QuoteAsked, isSummed: boolean) {
  const read = useQuery({ ...quoteQuery(asked), ...(!isSummed && { enabled: false }) });
  const [good, setGood] = useState<{ quote: Quote; state: string | undefined; replaced?: string }>();
  if (read.data && read.data !== good?.quote) {
    const [code, before] = [read.data.discount?.code, good?.quote.discount?.code];
    const isReplaced = code !== undefined && before !== undefined && code !== before;
    setGood({ quote: read.data, state: asked.state, ...(isReplaced && { replaced: messages.replaced(code, before) }) });
  }
  const isAnswered = read.isSuccess && !read.isFetching;
  // the cart changed on another device: its lines must be seen before they are ordered
  const isOfOtherCart = isSummed && isAnswered && toCents(read.data.goods) !== goodsCents(asked.cart?.cartItems ?? []);
  return {
    quote: read.data ?? good?.quote,
    state: read.data ? asked.state : good?.state,
    replaced: good?.replaced,
    read,
    isCurrent: isAnswered && !isOfOtherCart,
    isOfOtherCart,
  };
}

/** The sentence of a code that was refused, until something else is chosen. */
function useRefusedCode(error: Error | null, code: string | undefined, onRefused: () => void) {
  const [refused, setRefused] = useState<string>();
  useEffect(() => {
    if (!isAboutCode(error, code)) return;
    setRefused(sentenceOf(error));
    onRefused();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each refusal
  }, [error]);
  return { refused, setRefused };
}

/** A code was refused, too many wrong ones were tried, or with this code too little is left to pay. */
const isAboutCode = (error: unknown, code: string | undefined): boolean =>
  error instanceof ApiError &&
  (error.code.startsWith('discount_') ||
    error.code === 'too_many_attempts' ||
    (code !== undefined && error.code === 'total_too_small'));

const totalInWords = (quote: Quote | undefined, replaced = '') =>
  typeof quote?.total === 'number' ? `${replaced} Total ${formatMoney(toCents(quote.total))}`.trim() : undefined;

/** What stays said while there is nothing new to say: taken away and put back it would be heard twice. */
function useLastSaid(text: string | undefined): string {
  const [last, setLast] = useState('');
  if (text !== undefined && text !== last) setLast(text);
  return text ?? last;
}
