import { aboutPicture, heroPicture } from '../../shared/brandPictures.gen';
import { keptPicturesCache } from '../../shared/deviceNames';
import { installMessages } from '../../shared/install';
import { pictureFile, pictureTypes, type PictureType } from '../../shared/pictures';
import { oneAtATime } from '../browser/oneAtATime';
import { isOutOfSpace } from '../browser/storageQuota';
import { toast } from '../ui/toast';
import { knowsAvif } from './knowsAvif';
import { mayFetchPictures, missingPictures } from './picturesWanted';
import { saved } from './saved';

export interface SmallPicture {
  base: string;
  width: number;
  /** How large the file is in each type, as far as the shop has said it. */
  bytes: Readonly<Record<PictureType, number>> | undefined;
}

/**
 * Keeps a small picture of every product on this device, for as long as the shop is kept there at all: the service
 * worker shows it where a larger one is missing. Without a worker nothing would be shown, so they are saved once it is
 * there. On a metered connection none is fetched unasked (picturesWanted.ts).
 * @param pictures of all products, each once; those that are not among them are let go
 * @returns once the worker is there: false when it may work another time; that call goes on where this one stopped
 */
export async function savePictures(pictures: readonly SmallPicture[]): Promise<boolean> {
  latest = pictures;
  await saved.when('worker');
  await saveLatest();
  return isDone;
}

let latest: readonly SmallPicture[] = [];
let isDone = false;

/** A list that comes while another one is being saved follows it. On a device that is full nothing more can be done. */
const saveLatest = oneAtATime(async () => {
  try {
    await saveAll(latest);
    isDone = true;
  } catch (error) {
    isDone = isOutOfSpace(error);
    if (isDone) toast.warning(installMessages.noSpace);
  }
});

/** The home page's own, in their smallest width. */
const brandPictures = [heroPicture, aboutPicture].map(({ base, widths, keptBytes }): SmallPicture => ({
  base,
  width: widths[0],
  bytes: keptBytes,
}));
const atOnce = 4;

/** @throws what kept a picture from being fetched or written */
async function saveAll(products: readonly SmallPicture[]): Promise<void> {
  const pictures = [...products, ...brandPictures];
  const kept = await caches.open(keptPicturesCache);
  const present = new Set((await kept.keys()).map(({ url }) => new URL(url).pathname));
  await letGo(kept, present, pictures);
  const isMissing = (picture: SmallPicture) => !filesOf(picture).some((file) => present.has(file));
  const missing = pictures.filter(isMissing);
  const type = missing.length > 0 && (await knowsAvif()) ? 'avif' : 'webp';
  missingPictures.set(sumUp(missing, type, products.every(isMissing)));
  if (missing.length > 0) saved.set('pictures', false);
  const saveInTurn = async () => {
    while (mayFetchPictures()) {
      const next = missing.shift();
      if (!next) return;
      await savePicture(kept, pictureFile(next.base, next.width, type));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, saveInTurn));
  if (missing.length > 0) return; // the connection is metered
  missingPictures.set(undefined);
  saved.set('pictures', true);
}

const filesOf = ({ base, width }: SmallPicture) => pictureTypes.map((type) => pictureFile(base, width, type));

async function letGo(kept: Cache, present: ReadonlySet<string>, pictures: readonly SmallPicture[]): Promise<void> {
  const wanted = new Set(pictures.flatMap(filesOf));
  await Promise.all([...present].filter((file) => !wanted.has(file)).map((file) => kept.delete(file)));
}

function sumUp(missing: readonly SmallPicture[], type: PictureType, isAll: boolean) {
  if (missing.length === 0) return undefined;
  const sizes = missing.map(({ bytes }) => bytes?.[type]);
  const bytes = sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);
  return { count: missing.length, isAll, bytes };
}

/**
 * From the browser's own cache where the page has shown it already. A picture that the shop does not have is passed over.
 * @throws where there is no connection, or something else answers in place of the shop
 */
async function savePicture(kept: Cache, file: string): Promise<void> {
  const answer = await fetch(file, { priority: 'low' });
  if (answer.status === 404) return;
  if (!answer.ok || !answer.headers.get('content-type')?.startsWith('image/'))
    throw new Error(`${file} was answered with ${answer.status}`);
  await kept.put(file, answer);
}
