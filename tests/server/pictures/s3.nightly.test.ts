import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { restoreBackup } from '../../../src/server/backup/restoreBackup';
import { takeBackup } from '../../../src/server/backup/takeBackup';
import { openPictureStore } from '../../../src/server/pictures/store';
import { onServer, withDatabase } from '../../support/globalSetup';
import { fileForm, jpeg, picturesOf } from '../../support/pictures';
import { startS3, type TestS3 } from '../../support/s3';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let s3: TestS3;
let shop: TestShop;
let staff: Person;
let pics: ReturnType<typeof picturesOf>;
beforeAll(async () => {
  s3 = await startS3();
  shop = await openOwnShop({ s3: s3.config });
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  pics = picturesOf(shop, () => staff);
});
afterAll(async () => {
  await shop.close();
  await s3.close();
});

test('a backup has the pictures of the bucket, and is restored into an empty one only', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-backup-s3-'));
  const database = `shop_test_s3_${process.pid}`;
  const { config } = inject('database');
  const target = await startS3();
  await onServer(config, `create database ${database}`);
  try {
    const { id } = await shop.stock();
    await pics.upload(id, await jpeg(40, 30));
    await shop.jobs.makePictures();
    const base = (await pics.forStaff(id)).picture?.base ?? '';
    await pics.upload(id, await jpeg(40, 30, '#204060'));
    const ana = await shop.signIn();
    const sent = { as: ana, path: { userId: ana.userId }, ...fileForm(await jpeg()) };
    const avatar = (await shop.call('setOwnPicture', sent)).data.user.picture?.base ?? '';
    const folder = path.join(home, 'backup');
    const { dataDir, pictureStore, direct } = shop;
    const { files } = await takeBackup({ direct, dataDir, pictureStore, folder });
    const names = files.map(({ file }) => file);
    expect(names).toEqual(
      expect.arrayContaining([
        `${base.slice(1)}-160.webp`,
        `${avatar.slice(1)}-160.avif`,
        `uploads/${s3.namesIn('uploads')[0]}`,
      ]),
    );

    const into = async (bucket: TestS3, name: string) => {
      const store = await openPictureStore({ dataDir: path.join(home, name), s3: bucket.config });
      const place = { direct: withDatabase(config, database), dataDir: path.join(home, name), pictureStore: store };
      return restoreBackup({ folder, migrations: 'src/server/db/migrations', ...place });
    };
    await expect(into(s3, 'taken')).rejects.toThrow(/^S3_URL: .* already exist there/);
    target.fail({ status: 500, code: 'InternalError' }, Infinity, ['PUT'], /-1280\.webp$/);
    await expect(into(target, 'cut off')).rejects.toThrow("Photos aren't available right now");
    expect([...target.objects.keys()]).toEqual([]);
    target.heal();
    await into(target, 'restored');
    const bytesOf = ({ objects }: TestS3) => new Map([...objects].map(([key, { bytes }]) => [key, bytes]));
    expect(bytesOf(target)).toEqual(bytesOf(s3));
    expect(await readdir(path.join(home, 'restored'))).toEqual([]);
  } finally {
    await onServer(config, `drop database if exists ${database} with (force)`);
    await target.close();
    await rm(home, { recursive: true, force: true });
  }
});
