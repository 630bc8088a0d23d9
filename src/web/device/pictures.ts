import { aboutPicture, heroPicture } from '../../shared/brandPictures.gen';
import type { Schema } from '../../shared/contract';
import { keptPicturesCache, shopFactsKey } from '../../shared/deviceNames';
import { installMessages } from '../../shared/install';
import { pictureFile, pictureTypes, type PictureType } from '../../shared/pictures';
import { oneAtATime } from '../browser/oneAtATime';
import { readJson } from '../browser/storage';
import { isOutOfSpace } from '../browser/storageQuota';
import { toast } from '../ui/toast';
import { supportsAvif } from './supportsAvif';
import { mayFetchPictures, missingPictures } from './picturesWanted';
import { saved } from './saved';

export interface SmallPicture {
  base: string;
  width: number;
  /** The file size per type, where the shop has provided it. */
  bytes: Readonly<Record<PictureType, number>> | undefined;
}

/**
 * Keeps a small picture of every product on this device for as long as the shop's data is stored there: the service
 * worker shows it where a larger one is missing. Without a worker they would never be shown, so saving waits for it. On
 * a metered connection none is fetched unless the user asks for it (picturesWanted.ts).
 * @param pictures of all products, without duplicates; saved pictures that are not among them are deleted
 * @returns once the worker is active: false when a later call may succeed, which then continues where this one stopped
 */
export async function savePictures(pictures: readonly SmallPicture[]): Promise<boolean> {
  latest = pictures;
  await saved.when('worker');
  await saveLatest();
  return isDone;
}

let latest: readonly SmallPicture[] = [];
let isDone = false;

/** A newer list waits for the current one. On a full device nothing more can be done. */
const saveLatest = oneAtATime(async () => {
  try {
    await saveAll(latest);
    isDone = true;
  } catch (error) {
    isDone = isOutOfSpace(error);
    if (isDone) toast.warning(installMessages.noSpace);
  }
});

/** The home page's pictures, in their smallest width. */
const brandPictures = [heroPicture, aboutPicture].map(({ base, widths, keptBytes }): SmallPicture => ({
  base,
  width: widths[0],
  bytes: keptBytes,
}));
const concurrency = 4;

/** @throws the error that prevented fetching or writing a picture */
async function saveAll(products: readonly SmallPicture[]): Promise<void> {
  const pictures = [...products, ...brandPictures];
  const logo = (readJson(shopFactsKey) as Partial<Schema<'Shop'>> | undefined)?.logo?.src;
  const cache = await caches.open(keptPicturesCache);
  const present = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  await deleteUnwanted(cache, present, new Set([...pictures.flatMap(filesOf), ...(logo ? [logo] : [])]));
  if (logo && !present.has(logo)) await savePicture(cache, logo); // in every page's header, so fetched anyway
  const isMissing = (picture: SmallPicture) => !filesOf(picture).some((file) => present.has(file));
  const missing = pictures.filter(isMissing);
  const type = missing.length > 0 && (await supportsAvif()) ? 'avif' : 'webp';
  missingPictures.set(summarize(missing, type, products.every(isMissing)));
  if (missing.length > 0) saved.set('pictures', false);
  const saveNext = async () => {
    while (mayFetchPictures()) {
      const next = missing.shift();
      if (!next) return;
      await savePicture(cache, pictureFile(next.base, next.width, type));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, saveNext));
  if (missing.length > 0) return; // the connection is metered
  missingPictures.set(undefined);
  saved.set('pictures', true);
}

const filesOf = ({ base, width }: SmallPicture) => pictureTypes.map((type) => pictureFile(base, width, type));

async function deleteUnwanted(cache: Cache, present: ReadonlySet<string>, wanted: ReadonlySet<string>): Promise<void> {
  await Promise.all([...present].filter((file) => !wanted.has(file)).map((file) => cache.delete(file)));
}

function summarize(missing: readonly SmallPicture[], type: PictureType, isAll: boolean) {
  if (missing.length === 0) return undefined;
  const sizes = missing.map(({ bytes }) => bytes?.[type]);
  const bytes = sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);
  return { count: missing.length, isAll, bytes };
}

/**
 * Served from the HTTP cache if the page has shown it already. A picture that the shop doesn't have is skipped.
 * @throws when offline, or when something other than the shop responds
 */
async function savePicture(cache: Cache, file: string): Promise<void> {
  const answer = await fetch(file, { priority: 'low' });
  if (answer.status === 404) return;
  if (!answer.ok || !answer.headers.get('content-type')?.startsWith('image/'))
    throw new Error(`${file} returned ${answer.status}`);
  await cache.put(file, answer);
}
