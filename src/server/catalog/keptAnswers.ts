/**
 * Catalog answers, kept as the bytes that go out, so that a repeated or conditional GET asks the database nothing.
 *
 * Promise: an answer never shows less than what this process committed before it was asked for, nor than what other
 * processes told it (channel 'catalog'); its quantities are exact.
 * - A changed fact drops everything, a changed quantity drops the answers that hold the product.
 * - An answer whose reading began before a change must not be kept after it. So each reading under way collects the
 *   changes told meanwhile, and is kept only when none of them touches it. (One counter for all changes was the simpler
 *   way: while anything sells, it would keep nothing.)
 * - Requests for what is being read already wait for the same reading, but only while no change came in between.
 * - While the database cannot tell us about changes nothing kept is used; once it can again, everything is dropped.
 */
import { createHash } from 'node:crypto';
import type { Notices } from '../db/notices';
import type { ReadyBytes } from '../http/readyBytes';
import { factsChange, onCatalogChange, type CatalogChange } from './changes';

/** What a reading gives: the body, and the products whose quantities are in it. */
export type Reading = { body: string; productIds: Iterable<string> };
export type KeptAnswer = ReadyBytes & { readonly productIds: ReadonlySet<string> };
export type KeptAnswers = {
  /**
   * The answer kept under `key`, at once, or a new one.
   * @param key operation and parameters in one spelling, never a URL as it came
   * @param read called when nothing can be used; what it throws is thrown and not kept
   */
  answer(key: string, read: () => Promise<Reading>): KeptAnswer | Promise<KeptAnswer>;
};

type UnderWay = { changes: Set<CatalogChange>; answer: Promise<KeptAnswer> };

const maxAnswers = 2_000;
const maxTotalBytes = 32 * 1024 * 1024;

export function createKeptAnswers(notices: Pick<Notices, 'connected' | 'on' | 'onConnected'>): KeptAnswers {
  const kept = new Map<string, KeptAnswer>(); // the least recently used first
  const underWay = new Map<string, UnderWay>(); // the newest reading of each key
  let totalBytes = 0;

  onCatalogChange(drop);
  notices.on('catalog', drop);
  notices.onConnected(() => drop(factsChange));

  function drop(change: CatalogChange): void {
    for (const reading of underWay.values()) reading.changes.add(change);
    for (const [key, answer] of kept) if (touches(change, answer)) forget(key, answer);
  }

  function forget(key: string, answer: KeptAnswer): void {
    kept.delete(key);
    totalBytes -= answer.bytes.length;
  }

  function keep(key: string, answer: KeptAnswer): void {
    const before = kept.get(key);
    if (before) forget(key, before);
    kept.set(key, answer);
    totalBytes += answer.bytes.length;
    for (const [oldest, { bytes }] of kept) {
      if (kept.size <= maxAnswers && totalBytes <= maxTotalBytes) break;
      kept.delete(oldest);
      totalBytes -= bytes.length;
    }
  }

  function begin(key: string, read: () => Promise<Reading>): Promise<KeptAnswer> {
    const changes = new Set<CatalogChange>();
    const answer = finish();
    const reading: UnderWay = { changes, answer };
    underWay.set(key, reading);
    return answer;

    async function finish(): Promise<KeptAnswer> {
      try {
        const answer = seal(await read());
        // a later reading of the same key took over because of a change: it will be the one to keep
        const isNewest = underWay.get(key) === reading;
        if (notices.connected && isNewest && ![...changes].some((change) => touches(change, answer))) keep(key, answer);
        return answer;
      } finally {
        if (underWay.get(key) === reading) underWay.delete(key);
      }
    }
  }

  return {
    answer(key, read) {
      if (!notices.connected) return begin(key, read);
      const ready = kept.get(key);
      if (ready) {
        kept.delete(key);
        kept.set(key, ready);
        return ready;
      }
      const running = underWay.get(key);
      return running?.changes.size === 0 ? running.answer : begin(key, read);
    },
  };
}

/** Whether an answer with these products may be another one after the change. */
export const touches = (change: CatalogChange, { productIds }: { productIds: ReadonlySet<string> }): boolean =>
  change === factsChange || productIds.has(change);

/** The bytes that go out, with the tag that says which they are. */
export function seal({ body, productIds }: Reading): KeptAnswer {
  const bytes = Buffer.from(body);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  const headers = { etag, 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' };
  return { bytes, headers, productIds: new Set(productIds) };
}
