/**
 * Catalog answers, kept as the bytes that go out, so that a repeated or conditional GET asks the database nothing. Their
 * quantities are exact: a changed fact drops every answer, a changed quantity the answers that hold the product.
 */
import { createHash } from 'node:crypto';
import type { ChangeBus } from '../db/changeBus';
import { factsChange, type CatalogChange } from '../db/changes';
import { keepUntilChanged } from '../http/keptUntilChanged';
import type { ReadyBytes } from '../http/readyBytes';

/** What a reading gives: the body, and the products whose quantities are in it. */
export type Reading = { body: string; productIds: Iterable<string> };
export type KeptAnswer = ReadyBytes & { readonly productIds: ReadonlySet<string> };
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
    bytesOf: ({ bytes }) => bytes.length,
    touches,
  });
  bus.on('catalog', kept.drop);
  return { find: kept.find, answer: async (key, read) => kept.get(key, async () => seal(await read())) };
}

/** Whether the change may concern an answer with these products. */
export const touches = (change: CatalogChange, { productIds }: { productIds: ReadonlySet<string> }): boolean =>
  change === factsChange || productIds.has(change);

/** The bytes that go out, with the tag that says which they are. */
export function seal({ body, productIds }: Reading): KeptAnswer {
  const bytes = Buffer.from(body);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  const headers = { etag, 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' };
  return { bytes, headers, productIds: new Set(productIds) };
}
