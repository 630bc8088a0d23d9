/**
 * Pictures in an S3-compatible bucket, shared by all processes. S3 guarantees atomic writes. Each call has a time limit for
 * its whole transfer. A call that fails quickly is retried once, one that times out is not, so that no caller waits longer
 * than twice the limit.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { S3mini, S3ServiceError } from 's3mini';
import { ConfigError, type S3Config } from '../core/config';
import { Problem, storageFull } from '../http/core/problems';
import type { PictureStore, PictureFolder } from './files';

const withinMs = 5_000;
const maxAttempts = 2;
const pauseMs = 100;
const pageSize = 1_000;
const noBucket = "the bucket doesn't exist";

export function openS3Store(config: S3Config): PictureStore {
  const { bucketUrl, accessKeyId, secretAccessKey, region } = config;
  const bucket = new S3mini({ endpoint: bucketUrl, accessKeyId, secretAccessKey, region, fetch: fetchInTime });
  const prefixOf = (room: PictureFolder) => `${config.folder}${room}/`;
  const keyOf = (room: PictureFolder, name: string) => prefixOf(room) + name;

  /** Only objects directly in the room. */
  async function* pagesOf(room: PictureFolder): AsyncGenerator<{ name: string; changedAt: Date }[]> {
    let token: string | undefined;
    do {
      const after = token;
      const page = await ask(() => bucket.listObjectsPaged('/', prefixOf(room), pageSize, after));
      if (!page?.objects) throw away(new Error(noBucket));
      yield page.objects
        .map(({ Key, LastModified }) => ({ name: Key.slice(prefixOf(room).length), changedAt: LastModified }))
        .filter(({ name }) => name !== '' && !name.includes('/'));
      token = page.nextContinuationToken;
    } while (token !== undefined);
  }

  const remove = async (room: PictureFolder, name: string): Promise<void> =>
    ask(async () => void (await unlessMissing(bucket.deleteObject(keyOf(room, name)))));
  return {
    isRemote: true,
    write: (room, name, bytes) =>
      ask(async () => void (await bucket.putObject(keyOf(room, name), bytes, typeOf(name)))),
    read: (room, name) =>
      ask(async () => {
        const found = await unlessMissing(bucket.getObjectRaw(keyOf(room, name)));
        return found && Buffer.from(await found.arrayBuffer());
      }),
    has: (room, name) => ask(async () => (await bucket.objectExists(keyOf(room, name))) === true),
    remove,
    async list(room) {
      const names: string[] = [];
      for await (const page of pagesOf(room)) names.push(...page.map(({ name }) => name));
      return names;
    },
    async sweep(room, isOrphan, before) {
      for await (const page of pagesOf(room))
        for (const { name, changedAt } of page)
          if (isOrphan(name) && isBetween(changedAt, before)) await remove(room, name);
    },
  };
}

/**
 * Checks access to the bucket, with the rights the shop needs for reading.
 * @returns why it cannot be reached right now; undefined when it can
 * @throws ConfigError when the bucket does not exist or the keys have no access
 */
export async function checkBucket(store: PictureStore): Promise<string | undefined> {
  try {
    await store.list('uploads');
    return undefined;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const said = cause instanceof Error ? cause.message : String(error);
    const isAnswer = cause instanceof S3ServiceError ? !isWorthAnother(cause) : said === noBucket;
    if (!isAnswer) return said;
    throw new ConfigError(
      `S3_URL: the storage rejected the bucket (${said}). Check its name, its region, and the keys`,
    );
  }
}

/** Redirects are not followed: they mean that the configured address or region is wrong. */
const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: 'manual', signal: AbortSignal.timeout(withinMs) });

/** @throws Problem */
async function ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === maxAttempts || !isWorthAnother(error)) throw isFull(error) ? full(error) : away(error);
      await pause(pauseMs);
    }
  }
}

function isWorthAnother(error: unknown): boolean {
  if (error instanceof S3ServiceError) return (error.status >= 500 && error.status !== 507) || error.status === 429;
  return !(error instanceof DOMException && error.name === 'TimeoutError');
}

const isFull = (error: unknown): boolean =>
  error instanceof S3ServiceError && (error.status === 507 || error.serviceCode === 'QuotaExceeded');

const away = (cause: unknown) =>
  because(
    cause,
    new Problem(503, 'unavailable', "Photos aren't available right now. Try again in a moment.", {
      retryAfterSeconds: 5,
    }),
  );
const full = (cause: unknown) => because(cause, storageFull());

/** Adds the cause for the log: the status and code of S3's response, nothing of the request. */
const because = (cause: unknown, problem: Problem): Problem => Object.assign(problem, { cause });

/** A missing object is not an error; a missing bucket is. */
async function unlessMissing<Found>(asked: Promise<Found>): Promise<Found | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof S3ServiceError && error.status === 404 && !error.body?.includes('NoSuchBucket'))
      return undefined;
    throw error;
  }
}

/** A time that could not be parsed is 0, and must not cause a removal. */
const isBetween = (changedAt: Date, before: Date): boolean => changedAt.getTime() > 0 && changedAt < before;

const typeOf = (name: string): string => {
  const type = /\.(avif|webp|png)$/.exec(name)?.[1];
  return type === undefined ? 'application/octet-stream' : `image/${type}`;
};
