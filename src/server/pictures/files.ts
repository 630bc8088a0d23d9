/**
 * The names of picture files, and their store: DATA_DIR (folderStore.ts) or a bucket (s3Store.ts). Original uploads are in
 * `uploads`, which is not served, under generated ids. Processed pictures are in `pictures`, named by the hash of the
 * upload. Avatars have a folder of their own (avatars.ts).
 */
import { pictureTypes } from '../../shared/pictures';
import { Problem } from '../http/core/problems';

export const pictureFolders = ['pictures', 'uploads', 'portraits'] as const;
export type PictureFolder = (typeof pictureFolders)[number];

/** Files are written atomically. */
export type PictureStore = {
  /** Whether it is accessed over a network: /pictures is then proxied (remotePictures.ts). */
  readonly isRemote: boolean;
  /**
   * @throws Problem 503 unavailable when it cannot be reached, 507 storage_full, or Node's error (ENOSPC when the disk is
   *   full). The file is then missing, or, if only the response was lost, complete and swept later
   */
  write: (room: PictureFolder, name: string, bytes: Buffer) => Promise<void>;
  /** @returns undefined when the file is missing @throws Problem 503 unavailable */
  read: (room: PictureFolder, name: string) => Promise<Buffer | undefined>;
  has: (room: PictureFolder, name: string) => Promise<boolean>;
  remove: (room: PictureFolder, name: string) => Promise<void>;
  list: (room: PictureFolder) => Promise<string[]>;
  /** Removes orphans that were last changed before that time. */
  sweep: (room: PictureFolder, isOrphan: (name: string) => boolean, before: Date) => Promise<void>;
};

/** Whether the store could not be reached, so the picture itself may be fine. */
export const isAway = (error: unknown): boolean => error instanceof Problem && error.status === 503;

export const pictureWidths = [160, 320, 640, 1280];

/** The names of a picture's files, each with its width and type. */
export const filesOf = (hash: string) =>
  pictureWidths.flatMap((width) => pictureTypes.map((type) => ({ name: `${hash}-${width}.${type}`, width, type })));

/** Whether it is a temporary file, which is being written or was left by a crash. */
export const isUnfinished = (name: string): boolean => name.endsWith('.part');
const made = /^([0-9a-f]{32})-\d{1,5}\.(?:avif|webp|png)$/;
const upload = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Recognized by the length of the hash. The demo catalog's hashes are shorter; its files belong to the release and stay. */
export const isMade = (name: string): boolean => made.test(name);

/**
 * Removes files left behind by a process that crashed. Files with names that the shop never writes are not touched.
 * @param keep.uploadIds of pending uploads
 * @param keep.hashes of existing pictures and of the logo
 * @param keep.avatarIds of avatars in use
 * @param before files changed later than this may still be in progress
 */
export async function sweepFiles(
  store: PictureStore,
  keep: Record<'uploadIds' | 'hashes' | 'avatarIds', ReadonlySet<string>>,
  before: Date,
): Promise<void> {
  const isOldUpload = (name: string) => upload.test(name) && !keep.uploadIds.has(name);
  const isNoneOf = (kept: ReadonlySet<string>) => (name: string) => {
    const id = made.exec(name)?.[1];
    return id !== undefined && !kept.has(id);
  };
  const isOldPicture = isNoneOf(keep.hashes);
  const isOldAvatar = isNoneOf(keep.avatarIds);
  await store.sweep('uploads', (name) => isOldUpload(name) || isUnfinished(name), before);
  await store.sweep('pictures', (name) => isOldPicture(name) || isUnfinished(name), before);
  await store.sweep('portraits', (name) => isOldAvatar(name) || isUnfinished(name), before);
}
