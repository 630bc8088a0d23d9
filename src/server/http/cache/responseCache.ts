/**
 * Public pages, kept as the bytes that go out. A kept page shows the catalog as it is but for exact quantities above 10,
 * which no page shows: a changed fact drops every page; a stock change that starts or ends at 10 or less (channel
 * `low_stock`) drops the pages with that product; any other sale drops none. What else all pages show (the shop's name,
 * how to reach its owner) drops every page when it changes. Rule: docs/rules/catalog.md, Two kinds of change
 */
import type { ChangeBus } from '../../db/core/changeBus';
import { factsChange } from '../../db/core/changes';
import { keepUntilChanged } from './changeCache';
import { seal, type Page, type SealedPage } from './cachedResponse';

type KeptPage = SealedPage & { ids: ReadonlySet<string> };

export type KeptPages = {
  /** The page kept under `url`, if it may be used now. @param url in any spelling; only the kept one is found */
  find: (url: string) => SealedPage | undefined;
  /**
   * The page kept under `url`, or a new one.
   * @param draw called when nothing can be used; what it throws is thrown, and when it gives nothing, nothing is kept
   */
  page: (url: string, draw: () => Promise<Page | undefined>) => Promise<SealedPage | undefined>;
};

const idPattern = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

export function createKeptPages(bus: Pick<ChangeBus, 'connected' | 'on' | 'onConnected'>): KeptPages {
  const kept = keepUntilChanged<KeptPage, KeptPage | undefined>(bus, {
    max: 500,
    maxTotalBytes: 48 * 1024 * 1024,
    bytesOf: ({ totalBytes }) => totalBytes,
    touches: (change, { ids }) => ids.has(change),
  });
  bus.on('catalog', (change) => void (change === factsChange && kept.dropAll()));
  bus.on('low_stock', kept.drop);
  bus.on('settings', kept.dropAll);
  return {
    find: kept.find,
    page: async (url, draw) =>
      kept.get(url, async () => {
        const drawn = await draw();
        // every id in it, not only those of products: one too many drops a page too often at worst
        return drawn && { ...seal(drawn), ids: new Set(drawn.body.match(idPattern)) };
      }),
  };
}
