/** What the shop is called and looks like outside of its own pages: in emails and on the test provider's page. */
import type { ChangeBus } from '../db/core/changeBus';
import type { Connection, Db } from '../db/core/transact';
import type { StoredLogo } from '../db/schema/tables';
import type { PictureStore } from '../pictures/files';
import { logoFile } from '../pictures/logo';
import { readShopRow, type ShopRow } from './service';

/** The logo as a PNG file, which every email program shows. Its size is twice the one it is shown in. */
export type LogoImage = { png: Buffer; width: number; height: number };
export type Brand = { settings: ShopRow['settings']; logo: LogoImage | undefined };

/** @returns the settings and the logo as they are now; without a logo if the picture store can't be reached */
export async function readBrand(connection: Connection, store: PictureStore): Promise<Brand> {
  const { settings, logo } = await readShopRow(connection);
  return { settings, logo: logo ? await readLogo(store, logo) : undefined };
}

async function readLogo(store: PictureStore, { hash, width, height }: StoredLogo): Promise<LogoImage | undefined> {
  if (last?.hash === hash) return last.image;
  const png = await store.read('pictures', logoFile(hash, 'png')).catch(() => undefined);
  if (!png) return undefined;
  last = { hash, image: { png, width, height } };
  return last.image;
}

/** Each email would read the same file. */
let last: { hash: string; image: LogoImage } | undefined;

/** Shows the brand now and after each change. A failed read is repeated with the next change. */
export async function followBrand(
  { db, bus, pictureStore }: { db: Db; bus: ChangeBus; pictureStore: PictureStore },
  show: (brand: Brand) => void,
): Promise<void> {
  const read = async () => show(await readBrand(db, pictureStore));
  let reading = Promise.resolve(); // one after the other, so that the last one read is the last one shown
  const readAgain = () => void (reading = reading.then(read).catch(() => undefined));
  bus.on('settings', readAgain);
  bus.onConnected(readAgain);
  await read();
}
