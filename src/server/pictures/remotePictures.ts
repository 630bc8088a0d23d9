/**
 * Pictures of a store that has to be asked over a network, at the same addresses as those in a folder: whoever visits
 * does not see where they lie. The latest are kept in memory, each is asked for once however many want it, and only so
 * many are asked for at once: when the store is slow, the shop is not.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { forever } from '../http/pages/staticFiles';
import { notFound, unavailable } from '../http/core/problems';
import { sendEncoded, type EncodedResponse } from '../http/cache/cachedResponse';
import { isMade, type PictureStore } from './files';

const keptBytes = 32 * 1024 * 1024;
/** A device that keeps the whole catalog asks for a hundred at once; each is a connection to the store. */
const asksAtOnce = 200;

/** Of the whole address, so that nothing else of the bucket has one; all others are looked for in the folder. */
const route = '/pictures/:name(^[0-9a-f]{32}-\\d{1,5}\\.(?:avif|webp)$)';

export function serveRemotePictures(app: FastifyInstance, store: PictureStore): void {
  const find = createFinder(store);
  app.get<{ Params: { name: string } }>(route, async (request, reply) => {
    const { name } = request.params;
    const ready = isMade(name) ? await find(name) : undefined;
    if (!ready) throw notFound();
    return sendEncoded(request, reply, ready);
  });
}

function createFinder(store: PictureStore) {
  const kept = new LRUCache<string, EncodedResponse>({
    maxSize: keptBytes,
    sizeCalculation: ({ bytes }) => bytes.length,
  });
  const asked = new Map<string, Promise<EncodedResponse | undefined>>();

  async function ask(name: string): Promise<EncodedResponse | undefined> {
    try {
      const bytes = await store.read('pictures', name);
      const ready = bytes && readyOf(name, bytes);
      if (ready) kept.set(name, ready);
      return ready;
    } finally {
      asked.delete(name);
    }
  }

  return async function find(name: string): Promise<EncodedResponse | undefined> {
    const found = kept.get(name) ?? asked.get(name);
    if (found) return found;
    if (asked.size >= asksAtOnce) throw unavailable();
    const asking = ask(name);
    asked.set(name, asking);
    return asking;
  };
}

const readyOf = (name: string, bytes: Buffer): EncodedResponse => ({
  bytes,
  headers: {
    'content-type': name.endsWith('.avif') ? 'image/avif' : 'image/webp',
    'cache-control': forever,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
  },
});
