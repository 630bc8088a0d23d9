/** Counts the shop's requests to the payment provider, as the process sends them. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { TestShop } from './shop';

type Sent = { request: { origin?: string | URL; method: string; path: string } };

/** @returns the API calls during `work`, such as `GET /v1/events`, without their parameters */
export async function callsDuring(shop: TestShop, work: () => Promise<unknown>): Promise<string[]> {
  const calls: string[] = [];
  const note = (message: unknown) => {
    const { origin, method, path } = (message as Sent).request;
    const { pathname } = new URL(path, shop.sandbox.url);
    if (String(origin) === shop.sandbox.url && pathname.startsWith('/v1/')) calls.push(`${method} ${pathname}`);
  };
  subscribe('undici:request:create', note);
  try {
    await work();
  } finally {
    unsubscribe('undici:request:create', note);
  }
  return calls;
}
