import { badParam, missingParam } from './apiError';
import { readCurrency } from './currencies';
import { readDiscount, type FindCoupon } from './discounts';
import { newId } from './ids';
import type { Params } from './params';
import type { Line, Session } from './records';

const locales = [
  'auto',
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'en-GB',
  'es',
  'es-419',
  'et',
  'fi',
  'fil',
  'fr',
  'fr-CA',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'ms',
  'mt',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sk',
  'sl',
  'sv',
  'th',
  'tr',
  'vi',
  'zh',
  'zh-HK',
  'zh-TW',
];
const minAmount = 50;
const maxAmount = 99_999_999;
const maxLines = 100;
const minLifetime = 30 * 60;
const maxLifetime = 24 * 60 * 60;

/**
 * Reads a session from the parameters of a create call.
 * @param now Unix seconds
 * @param findCoupon finds the coupon that `discounts` names
 * @throws ApiError 400 naming the parameter that is missing or invalid
 */
export function readNewSession(params: Params, now: number, findCoupon: FindCoupon): Session {
  if ((params.oneOf('mode', ['payment', 'setup', 'subscription']) ?? 'payment') !== 'payment') {
    throw badParam('mode', 'The test payment provider knows only `payment` mode.');
  }
  params.oneOf('ui_mode', ['hosted', 'hosted_page']);
  const allowed = params.texts('allowed_payment_method_types');
  if (allowed.some((type) => type !== 'card')) {
    throw badParam('allowed_payment_method_types', 'The test payment provider knows only `card`.');
  }
  const successUrl = params.url('success_url');
  if (successUrl === null) throw missingParam('success_url');
  const lines = readLines(params);
  const discount = readDiscount(params, findCoupon, lines);
  const amount = lines.amount - (discount?.amount ?? 0);
  requireAmountInRange(amount);
  const payment = params.object('payment_intent_data');

  return {
    id: newId('cs_test_'),
    created: now,
    expiresAt: readExpiry(params, now),
    status: 'open',
    currency: lines.currency,
    amount,
    lines: lines.lines,
    ...(discount && { discount }),
    allowedPaymentMethodTypes: allowed.length > 0 ? allowed : null,
    successUrl,
    cancelUrl: params.url('cancel_url'),
    clientReferenceId: params.text('client_reference_id', 200),
    customerEmail: params.text('customer_email', 800),
    locale: params.oneOf('locale', locales),
    submitType: params.oneOf('submit_type', ['auto', 'book', 'donate', 'pay']),
    metadata: params.metadata('metadata'),
    paymentMetadata: payment?.metadata('metadata') ?? {},
    paymentDescription: payment?.text('description', 1000) ?? null,
    paymentIntentId: null,
    payer: null,
    authentication: null,
    completedEventId: null,
  };
}

function readLines(params: Params): { lines: Line[]; currency: string; amount: number } {
  const items = params.list('line_items') ?? [];
  if (items.length === 0) throw missingParam('line_items');
  if (items.length > maxLines) throw badParam('line_items', `You may only have up to ${maxLines} line items.`);

  const read = items.map(readLine);
  const currency = read[0]!.currency;
  if (read.some((line) => line.currency !== currency)) {
    throw badParam('line_items', 'All line items must have the same currency.');
  }
  const amount = read.reduce((sum, { line }) => sum + line.unitAmount * line.quantity, 0);
  return { lines: read.map(({ line }) => line), currency, amount };
}

function requireAmountInRange(amount: number): void {
  if (amount < minAmount) {
    const message = "The Checkout Session's total amount must convert to at least 50 cents.";
    throw badParam('line_items', message, 'amount_too_small');
  }
  if (amount > maxAmount) {
    const message = `The Checkout Session's total amount must be no more than ${maxAmount} cents.`;
    throw badParam('line_items', message, 'amount_too_large');
  }
}

function readLine(item: Params): { line: Line; currency: string } {
  const price = item.requireObject('price_data');
  const product = price.object('product_data');
  if (!product) throw missingParam(`${price.nameOf('product_data')}[name]`);
  const currency = readCurrency(price, 'currency');
  if (currency === null) throw missingParam(price.nameOf('currency'));
  // accepted and ignored, since no page here shows them
  product.text('description');
  product.texts('images');
  product.metadata('metadata');
  const line = {
    id: newId('li_'),
    priceId: newId('price_'),
    productId: newId('prod_'),
    name: product.requireText('name'),
    unitAmount: price.requireInteger('unit_amount', { min: 0, max: maxAmount }),
    quantity: item.requireInteger('quantity', { min: 1, max: 999_999 }),
  };
  return { line, currency };
}

function readExpiry(params: Params, now: number): number {
  const expiresAt = params.integer('expires_at') ?? now + maxLifetime;
  if (expiresAt < now + minLifetime) {
    const message = 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.';
    throw badParam('expires_at', message);
  }
  if (expiresAt > now + maxLifetime) {
    const message = 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.';
    throw badParam('expires_at', message);
  }
  return expiresAt;
}
