import { badParam } from './apiError';
import type { Params } from './params';

const currencies = new Set(Intl.supportedValuesOf('currency').map((currency) => currency.toLowerCase()));

/** @returns the currency in lower case; null when it was not sent */
export function readCurrency(params: Params, name: string): string | null {
  const currency = params.text(name)?.toLowerCase() ?? null;
  if (currency !== null && !currencies.has(currency)) {
    throw badParam(params.nameOf(name), `Invalid currency: ${currency}`);
  }
  return currency;
}
