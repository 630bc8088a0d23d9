/**
 * Serves the pictures of a remote store at the same URLs as those of a folder, so that clients see no difference. Recent ones
 * are cached in memory, concurrent requests for a picture share one fetch, and the number of concurrent fetches is limited,
 * so that a slow store does not slow down the shop.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { forever } from '../http/pages/staticFiles';
import { notFound, unavailable } from '../http/core/problems';
import { sendEncoded, type EncodedResponse } from '../http/cache/cachedResponse';
import { isMade, type PictureStore } from './files';

const keptBytes = 32 * 1024 * 1024;
/** A device that saves the whole catalog requests a hundred concurrently; each is a connection to the store. */
const concurrentReads = 200;

/** Matches complete names only, so that nothing else in the bucket is served. Other names are looked up in the folder. */
const route = '/pictures/:name(^[0-9a-f]{32}-\\d{1,5}\\.(?:avif|webp|png)$)';

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
    if (asked.size >= concurrentReads) throw unavailable();
    const asking = ask(name);
    asked.set(name, asking);
    return asking;
  };
}

const readyOf = (name: string, bytes: Buffer): EncodedResponse => ({
  bytes,
  headers: {
    'content-type': `image/${path.extname(name).slice(1)}`,
    'cache-control': forever,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
  },
});
