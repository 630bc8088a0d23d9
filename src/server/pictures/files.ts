/**
 * What the files of pictures are called, and what keeps them: DATA_DIR (folderStore.ts) or a bucket (s3Store.ts). As they
 * were sent they lie in `uploads`, which nobody is served from, under ids of our own; as they are shown in `pictures`,
 * named by the hash of what was sent. People's own lie in `portraits` (portraits.ts).
 */
import { pictureTypes } from '../../shared/pictures';
import { Problem } from '../http/core/problems';

export const rooms = ['pictures', 'uploads', 'portraits'] as const;
export type Room = (typeof rooms)[number];

/** A file is whole under its name or not there. */
export type PictureStore = {
  /** Whether it has to be asked over a network: then /pictures is read through (remotePictures.ts). */
  readonly isRemote: boolean;
  /**
   * @throws Problem 503 unavailable when it cannot be reached, 507 storage_full, or Node's error (ENOSPC when the disk is
   *   full). Nothing is there under the name then, or, when an answer was lost, a whole file that the sweep finds
   */
  write: (room: Room, name: string, bytes: Buffer) => Promise<void>;
  /** @returns undefined when there is none @throws Problem 503 unavailable */
  read: (room: Room, name: string) => Promise<Buffer | undefined>;
  has: (room: Room, name: string) => Promise<boolean>;
  remove: (room: Room, name: string) => Promise<void>;
  list: (room: Room) => Promise<string[]>;
  /** Removes what is an orphan and was last changed before that time. */
  sweep: (room: Room, isOrphan: (name: string) => boolean, before: Date) => Promise<void>;
};

/** Whether the store could not be reached, which says nothing about the picture. */
export const isAway = (error: unknown): boolean => error instanceof Problem && error.status === 503;

export const pictureWidths = [160, 320, 640, 1280];

/** The names of a picture's files, each with its width and type. */
export const filesOf = (hash: string) =>
  pictureWidths.flatMap((width) => pictureTypes.map((type) => ({ name: `${hash}-${width}.${type}`, width, type })));

/** Being written into a folder, or left of that. */
export const isUnfinished = (name: string): boolean => name.endsWith('.part');
const made = /^([0-9a-f]{32})-\d{1,5}\.(?:avif|webp)$/;
const upload = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ours by the length of the hash: the demo catalog's are shorter, come with the release, and are never touched. */
export const isMade = (name: string): boolean => made.test(name);

/**
 * Removes what a process left behind that ended in the middle. Files that the shop never writes are not its own to remove.
 * @param keep.uploadIds that wait to be made
 * @param keep.hashes of the pictures that there are
 * @param keep.avatarIds of those that people have
 * @param before files changed later than this may still be in the making
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
