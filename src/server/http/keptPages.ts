/**
 * Public pages, kept as the bytes that go out.
 *
 * Promise: a kept page shows the catalog as it is but for exact quantities above 10, which no page shows.
 * - A changed fact drops every page; a stock change that starts or ends at 10 or less (channel 'low_stock') drops the
 *   pages with that product; any other sale drops none. Source: decisions §4
 * - A page whose drawing began before a change must not be kept after it, so each drawing under way collects the changes
 *   told meanwhile, and the page is kept only when none of them touches it.
 * - Requests for what is being drawn already wait for the same drawing, but only while no change came in between.
 * - What else all pages show (the shop's name, how to reach its owner) drops every page when it changes (`dropAll`).
 * - While the database cannot tell us about changes nothing kept is used; once it can again, everything is dropped.
 */
import type { Notices } from '../db/notices';
import { seal, type Page, type SealedPage } from './pageBytes';

/** 'facts': anything may be different; or the id of a product of which few are left or were left. */
type Change = string;
const factsChange: Change = 'facts';
type KeptPage = SealedPage & { ids: ReadonlySet<string> };
type UnderWay = { changes: Set<Change>; page: Promise<SealedPage | undefined> };

export type KeptPages = {
  /** The page kept under `url`, if it may be used now. @param url in any spelling; only the kept one is found */
  find: (url: string) => SealedPage | undefined;
  /**
   * The page kept under `url`, or a new one.
   * @param draw called when nothing can be used; what it throws is thrown, and when it gives nothing, nothing is kept
   */
  page: (url: string, draw: () => Promise<Page | undefined>) => Promise<SealedPage | undefined>;
  /** Nothing that is kept, or under way, is as it was. */
  dropAll: () => void;
};

const maxPages = 500;
const maxTotalBytes = 48 * 1024 * 1024;
const idPattern = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** @param onOwnChange tells at once, and in the words of the channel 'catalog', what this process itself changed */
export function createKeptPages(
  notices: Pick<Notices, 'connected' | 'on' | 'onConnected'>,
  onOwnChange: (heard: (change: string) => void) => void,
): KeptPages {
  const kept = new Map<string, KeptPage>(); // the least recently used first
  const underWay = new Map<string, UnderWay>(); // the newest drawing of each page
  let totalBytes = 0;

  const dropAll = () => drop(factsChange);
  const dropAtFacts = (change: string) => void (change === factsChange && dropAll());
  onOwnChange(dropAtFacts);
  notices.on('catalog', dropAtFacts);
  notices.on('low_stock', drop);
  notices.onConnected(dropAll);

  function drop(change: Change): void {
    for (const drawing of underWay.values()) drawing.changes.add(change);
    for (const [url, page] of kept) if (touches(change, page)) forget(url, page);
  }

  function forget(url: string, page: KeptPage): void {
    kept.delete(url);
    totalBytes -= page.totalBytes;
  }

  function keep(url: string, page: KeptPage): void {
    const before = kept.get(url);
    if (before) forget(url, before);
    kept.set(url, page);
    totalBytes += page.totalBytes;
    for (const [oldest, oldPage] of kept) {
      if (kept.size <= maxPages && totalBytes <= maxTotalBytes) break;
      forget(oldest, oldPage);
    }
  }

  function find(url: string): SealedPage | undefined {
    const page = notices.connected ? kept.get(url) : undefined;
    if (page) {
      kept.delete(url);
      kept.set(url, page);
    }
    return page;
  }

  function begin(url: string, draw: () => Promise<Page | undefined>): Promise<SealedPage | undefined> {
    const changes = new Set<Change>();
    const page = finish();
    const drawing: UnderWay = { changes, page };
    underWay.set(url, drawing);
    return page;

    async function finish(): Promise<SealedPage | undefined> {
      try {
        const drawn = await draw();
        if (!drawn) return undefined;
        // every id in it, not only those of products: one too many drops a page too often at worst
        const page = { ...(await seal(drawn)), ids: new Set(drawn.body.match(idPattern)) };
        // a later drawing of the same page took over because of a change: it will be the one to keep
        const isNewest = underWay.get(url) === drawing;
        if (notices.connected && isNewest && ![...changes].some((change) => touches(change, page))) keep(url, page);
        return page;
      } finally {
        if (underWay.get(url) === drawing) underWay.delete(url);
      }
    }
  }

  return {
    find,
    dropAll,
    async page(url, draw) {
      const ready = find(url);
      if (ready) return ready;
      const running = notices.connected ? underWay.get(url) : undefined;
      return running?.changes.size === 0 ? running.page : begin(url, draw);
    },
  };
}

const touches = (change: Change, { ids }: KeptPage): boolean => change === factsChange || ids.has(change);
