/**
 * Catalog answers, kept as the bytes that go out, compressed once, so that a repeated or conditional GET asks the database
 * nothing. Their quantities are exact: a changed fact drops every answer, a changed quantity the answers that hold the product.
 */
import type { ChangeBus } from '../db/core/changeBus';
import { factsChange, type CatalogChange } from '../db/core/changes';
import { keepUntilChanged } from '../http/cache/changeCache';
import { seal, type SealedPage } from '../http/cache/cachedResponse';

/** What a reading gives: the body, and the products whose quantities are in it. */
export type Reading = { body: string; productIds: Iterable<string> };
export type KeptAnswer = SealedPage & { readonly productIds: ReadonlySet<string> };
export type KeptAnswers = {
  /** The answer kept under `key`, if it may be used now. @param key operation and parameters in one spelling, never a URL as it came */
  find(key: string): KeptAnswer | undefined;
  /** The answer kept under `key`, or a new one. */
  answer(key: string, read: () => Promise<Reading>): Promise<KeptAnswer>;
};

export function createKeptAnswers(bus: Pick<ChangeBus, 'connected' | 'on' | 'onConnected'>): KeptAnswers {
  const kept = keepUntilChanged<KeptAnswer>(bus, {
    max: 2_000,
    maxTotalBytes: 32 * 1024 * 1024,
    bytesOf: ({ totalBytes }) => totalBytes,
    touches,
  });
  bus.on('catalog', kept.drop);
  return { find: kept.find, answer: async (key, read) => kept.get(key, async () => keep(await read())) };
}

/** Whether the change may concern an answer with these products. */
export const touches = (change: CatalogChange, { productIds }: { productIds: ReadonlySet<string> }): boolean =>
  change === factsChange || productIds.has(change);

function keep({ body, productIds }: Reading): KeptAnswer {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { ...seal({ status: 200, body, headers }), productIds: new Set(productIds) };
}
