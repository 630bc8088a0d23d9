/** Pictures in DATA_DIR, which processes on one machine or one shared file system can share. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { PictureStore, PictureFolder } from './files';

export function openFolderStore(dataDir: string): PictureStore {
  const fileOf = (room: PictureFolder, name: string) => path.join(dataDir, room, name);
  return {
    isRemote: false,
    write: (room, name, bytes) => writeWhole(path.join(dataDir, room), name, bytes),
    read: (room, name) =>
      readFile(fileOf(room, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      }),
    has: (room, name) =>
      stat(fileOf(room, name)).then(
        ({ size }) => size > 0, // a power cut may leave an empty file
        () => false,
      ),
    remove: (room, name) => rm(fileOf(room, name), { force: true }),
    list: (room) => namesIn(path.join(dataDir, room)),
    async sweep(room, isOrphan, before) {
      for (const name of (await namesIn(path.join(dataDir, room))).filter(isOrphan)) {
        const found = await stat(fileOf(room, name)).catch(() => undefined);
        if (found && found.mtime < before) await rm(fileOf(room, name), { force: true });
      }
    },
  };
}

async function namesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []); // not created yet
  return found.filter((each) => each.isFile()).map(({ name }) => name);
}

/** Syncs the file before renaming it, so that it is complete even after a power cut. */
async function writeWhole(folder: string, name: string, bytes: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true });
  const part = path.join(folder, `.${randomUUID()}.part`);
  try {
    const file = await open(part, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path.join(folder, name));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
