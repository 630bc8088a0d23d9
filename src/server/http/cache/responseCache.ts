/**
 * Cached responses of the catalog and of public pages, as the bytes that go out. The database's changes drop them.
 * Rule: docs/rules/catalog.md, Two kinds of change
 */
import type { ChangeBus } from '../../db/core/changeBus';
import { factsChange } from '../../db/core/changes';
import { toCached, type CachedResponse, type PlainResponse } from './cachedResponse';
import { createChangeCache } from './changeCache';

type Entry = CachedResponse & { ids: ReadonlySet<string> };

export type ResponseCache<Made extends PlainResponse | undefined = PlainResponse> = {
  /** The cached response, if it may be used now. @param key operation and parameters in one spelling */
  find: (key: string) => CachedResponse | undefined;
  /**
   * The cached response, or a new one.
   * @param make called on a miss; what it throws is thrown, and `undefined` is not cached
   */
  get: (key: string, make: () => Promise<Made>) => Promise<CachedResponse | Extract<Made, undefined>>;
};

type Options = {
  /**
   * Which quantities the responses show. `exact`: every quantity change drops the responses with that product. `upTo10`:
   * a change drops them only when it starts or ends at 10 or less.
   */
  quantities: 'exact' | 'upTo10';
  /** Whether they show the shop's name or how to reach its owner. */
  showsSettings?: boolean;
  maxEntries: number;
  maxBytes: number;
};

const idPattern = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

export function createResponseCache<Made extends PlainResponse | undefined = PlainResponse>(
  bus: Pick<ChangeBus, 'connected' | 'on' | 'onConnected'>,
  { quantities, showsSettings = false, maxEntries, maxBytes }: Options,
): ResponseCache<Made> {
  type MadeEntry = Entry | Extract<Made, undefined>;
  const cache = createChangeCache<Entry, MadeEntry>(bus, {
    max: maxEntries,
    maxTotalBytes: maxBytes,
    bytesOf: ({ totalBytes }) => totalBytes,
    touches: (change, { ids }) => ids.has(change),
  });
  bus.on('catalog', (change) => {
    if (change === factsChange) cache.dropAll();
    else if (quantities === 'exact') cache.drop(change);
  });
  if (quantities === 'upTo10') bus.on('low_stock', cache.drop);
  if (showsSettings) bus.on('settings', cache.dropAll);
  return {
    find: cache.find,
    get: async (key, make) => cache.get(key, async () => toEntry(await make()) as MadeEntry),
  };
}

/** Takes every id in the body, not only products'. At worst an unrelated change drops the response too early. */
const toEntry = (made: PlainResponse | undefined): Entry | undefined =>
  made && { ...toCached(made), ids: new Set(made.body.match(idPattern)) };

/** A response of the API with status 200. */
export const jsonResponse = (body: string): PlainResponse => ({
  status: 200,
  body,
  headers: { 'content-type': 'application/json; charset=utf-8' },
});
