import { aboutPicture, heroPicture } from '../../shared/brandPictures.gen';
import { keptPicturesCache } from '../../shared/deviceNames';
import { installSays } from '../../shared/install';
import { pictureFile } from '../../shared/pictures';
import { oneAtATime } from '../browser/oneAtATime';
import { isOutOfRoom } from '../browser/room';
import { toast } from '../ui/toast';
import { saved } from './saved';

/**
 * Keeps a small picture of every product on this device, for as long as the shop is kept there at all: the service
 * worker shows it where a larger one is missing. Without a worker nothing would be shown, so they are saved once it is
 * there.
 * @param urls the AVIF file of each product's picture, of all products; pictures that are not among them are let go
 * @returns once the worker is there: false when it may work another time; that call goes on where this one stopped
 */
export async function savePictures(urls: readonly string[]): Promise<boolean> {
  latest = urls;
  await saved.when('worker');
  await saveLatest();
  return isDone;
}

let latest: readonly string[] = [];
let isDone = false;

/** A list that comes while another one is being saved follows it. On a device that is full nothing more can be done. */
const saveLatest = oneAtATime(async () => {
  try {
    await saveAll([...latest, ...brandPictures]);
    isDone = true;
  } catch (error) {
    isDone = isOutOfRoom(error);
    if (isDone) toast.warning(installSays.noRoom);
  }
});

/** The home page's own, in their smallest width. */
const brandPictures = [heroPicture, aboutPicture].map(({ base, widths }) => pictureFile(base, widths[0], 'avif'));
const atOnce = 4;

/** @throws what kept a picture from being fetched or written */
async function saveAll(urls: readonly string[]): Promise<void> {
  const kept = await caches.open(keptPicturesCache);
  const present = new Set((await kept.keys()).map(({ url }) => new URL(url).pathname));
  const missing = urls.filter((url) => !present.has(url) && !present.has(inWebp(url)));
  if (missing.length > 0) saved.set('pictures', false);
  const saveInTurn = async () => {
    for (let url = missing.shift(); url !== undefined; url = missing.shift()) await savePicture(kept, url);
  };
  await Promise.all(Array.from({ length: atOnce }, saveInTurn));
  const wanted = new Set(urls.flatMap((url) => [url, inWebp(url)]));
  await Promise.all([...present].filter((url) => !wanted.has(url)).map((url) => kept.delete(url)));
  saved.set('pictures', true);
}

const inWebp = (url: string) => url.replace(/\.avif$/, '.webp');

async function savePicture(kept: Cache, avif: string): Promise<void> {
  const url = (await knowsAvif(avif)) ? avif : inWebp(avif);
  const answer = await fetchPicture(url);
  if (answer) await kept.put(url, answer);
}

let avifIsKnown: Promise<boolean> | undefined;

/** Whether this browser can draw AVIF: it is shown one. */
function knowsAvif(url: string): Promise<boolean> {
  avifIsKnown ??= fetchPicture(url).then(async (answer) => {
    if (!answer) return true; // this picture is gone; try the next one
    const drawn = createImageBitmap(await answer.blob());
    return drawn.then(() => true).catch(() => false);
  });
  avifIsKnown.catch(() => (avifIsKnown = undefined));
  return avifIsKnown;
}

/**
 * From the browser's own cache where the page has shown it already.
 * @returns undefined when the shop has no such picture
 * @throws where there is no connection, or something else answers in place of the shop
 */
async function fetchPicture(url: string): Promise<Response | undefined> {
  const answer = await fetch(url, { priority: 'low' });
  if (answer.status === 404) return undefined;
  if (!answer.ok || !answer.headers.get('content-type')?.startsWith('image/'))
    throw new Error(`${url} was answered with ${answer.status}`);
  return answer;
}
