/**
 * Cached responses of the catalog and of public pages, as the bytes that go out. The database's changes drop them.
 * Rule: docs/rules/catalog.md, Two kinds of change
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChangeBus } from '../../db/core/changeBus';
import { factsChange, isCardsChange } from '../../db/core/changes';
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
   * a change drops them only when it starts or ends at 10 or less. A change of cards drops both.
   */
  quantities: 'exact' | 'upTo10';
  /** Whether they show the shop's name or how to reach its owner. */
  showsSettings?: boolean;
  maxEntries: number;
  maxBytes: number;
};

/** Instead of ids, of a response that a change of any product drops. */
export const anyProduct = 'any product';

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
    touches: (change, { ids }) => ids.has(change) || ids.has(anyProduct),
  });
  bus.on('catalog', (change) => {
    if (change === factsChange) cache.dropAll();
    else if (quantities === 'exact' || isCardsChange(change)) cache.drop(change);
  });
  if (quantities === 'upTo10') bus.on('low_stock', cache.drop);
  if (showsSettings) bus.on('settings', cache.dropAll);
  return {
    find: (key) => noteRead(cache.find(key)),
    get: async (key, make) => noteRead(await cache.get(key, async () => (await makeEntry(make)) as MadeEntry)),
  };
}

/** While a response is made: the ids of the cached responses that it reads. A page changes with those of the API. */
const idsRead = new AsyncLocalStorage<Set<string>>();

function noteRead<Found extends Entry | undefined>(found: Found): Found {
  const noted = found && idsRead.getStore();
  if (noted) for (const id of found.ids) noted.add(id);
  return found;
}

/** Takes every id in the body, not only products'. At worst an unrelated change drops the response too early. */
async function makeEntry(make: () => Promise<MadeResponse | undefined>): Promise<Entry | undefined> {
  const read = new Set<string>();
  const made = await idsRead.run(read, make);
  if (!made) return undefined;
  return {
    ...toCached(made),
    ids: new Set([...(made.body.match(idPattern) ?? []), ...(made.productIds ?? []), ...read]),
  };
}

/** `productIds`: what it depends on: products, also those that it doesn't show; lists of cards; or `anyProduct`. */
type MadeResponse = PlainResponse & { productIds?: Iterable<string> };

/** A response of the API with status 200. */
export const jsonResponse = (body: string, productIds: Iterable<string> = []): MadeResponse => ({
  status: 200,
  body,
  productIds,
  headers: { 'content-type': 'application/json; charset=utf-8' },
});
