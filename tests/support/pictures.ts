/** Test pictures, and how staff upload them. */
import { noiseBytes } from './random';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { and, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { pictureUploads } from '../../src/server/db/schema/tables';
import type { Person, TestShop } from './shop';

export const plain = (width: number, height: number, color = '#c04020') =>
  sharp({ create: { width, height, channels: 3, background: color } });
export const jpeg = (width = 400, height = 300, color?: string): Promise<Buffer> =>
  plain(width, height, color).jpeg().toBuffer();
/** Noise, so that the file gets large. */
export const noise = (side = 900): Promise<Buffer> =>
  sharp(noiseBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();

/** A form with one file, under any name. */
export function fileForm(file: Buffer, name = 'picture.png') {
  const boundary = 'a-boundary-that-no-picture-has';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(`${head}content-type: image/png\r\n\r\n`),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}

export function picturesOf(shop: TestShop, staff: () => Person) {
  const uploads = path.join(shop.dataDir, 'uploads');
  const waiting = async (productId: string) =>
    shop.db
      .select({ id: pictureUploads.id })
      .from(pictureUploads)
      .where(and(eq(pictureUploads.productId, productId), eq(pictureUploads.state, 'processing')));
  return {
    uploads,
    shown: path.join(shop.dataDir, 'pictures'),
    upload: (id: string, file: Buffer, name?: string) =>
      shop.call('uploadPicture', { as: staff(), path: { id }, ...fileForm(file, name) }),
    forStaff: async (id: string) => (await shop.call('getProductForStaff', { as: staff(), path: { id } })).data.product,
    /** A product's uploads that are not processed yet. */
    waitingOf: async (productId: string) => (await waiting(productId)).map(({ id }) => id),
    async deleteOldUploads() {
      await shop.db.update(pictureUploads).set({ state: 'replaced' });
      await rm(uploads, { recursive: true, force: true });
    },
  };
}

export const namesIn = (folder: string) => readdir(folder).catch((): string[] => []);
