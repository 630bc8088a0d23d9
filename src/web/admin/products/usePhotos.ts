import { useRef, useState } from 'react';
import { photoLimits } from '../../../shared/pictureUploads';
import type { Schema } from '../../../shared/contract';
import { preparePicture } from '../../forms/preparePicture';

export type SavedPhoto = Schema<'StaffPhoto'>;

/** A photo in the form: a saved one has an id, a new one a file. */
export interface PhotoEntry {
  key: string;
  alt: string;
  id?: string;
  file?: File;
  /** Why the file can't be used. */
  error?: string;
  /** Of the upload, 0 to 1. */
  progress?: number | undefined;
}

export type PhotosForm = ReturnType<typeof usePhotos>;

/**
 * The photos of the product form, in their new order. Nothing is sent before the form is saved.
 * @param saved the product's photos when the form was opened
 */
export function usePhotos(saved: readonly SavedPhoto[]) {
  const [known, setKnown] = useCurrent(saved);
  const [entries, setEntries] = useCurrent<readonly PhotoEntry[]>(() => saved.map(entryOf));
  const change = (key: string, fields: Partial<PhotoEntry>) =>
    setEntries((all) => all.map((entry) => (entry.key === key ? { ...entry, ...fields } : entry)));
  const add = (files: readonly File[]) => {
    const room = photoLimits.photos - entries.current.length;
    const added = files.slice(0, room).map((file): PhotoEntry => ({ key: crypto.randomUUID(), alt: '', file }));
    setEntries((all) => [...all, ...added]);
    for (const { key, file } of added) if (file) void check(key, file);
  };
  const check = async (key: string, file: File) => {
    const prepared = await preparePicture(file);
    if ('wrong' in prepared) change(key, { error: prepared.wrong });
  };
  const idsOf = (all: readonly { id?: string }[]) => new Set(all.map(({ id }) => id));
  return {
    shown: entries.shown,
    saved: known.shown,
    isChanged: isDifferent(entries.shown, known.shown),
    add,
    change,
    remove: (key: string) => setEntries((all) => all.filter((entry) => entry.key !== key)),
    move: (key: string, to: number) =>
      setEntries((all) => {
        const entry = all.find((each) => each.key === key);
        if (!entry || to < 0 || to >= all.length) return all;
        return all.filter((each) => each !== entry).toSpliced(to, 0, entry);
      }),
    /** The state now, also in code that began before the last render. */
    now: () => ({ entries: entries.current, saved: known.current }),
    isOrdered: () => !isDifferent(entries.current, known.current),
    /** Called with the shop's photos: those of colleagues are added at the end, and removed ones are left out. */
    learn: (fresh: readonly SavedPhoto[]) => {
      const before = idsOf(known.current);
      const now = idsOf(fresh);
      setKnown(() => fresh);
      setEntries((all) => {
        const left = all.filter(({ id }) => id === undefined || now.has(id));
        const here = idsOf(left);
        const others = fresh.filter(({ id }) => !before.has(id) && !here.has(id));
        return [...left, ...others.map(entryOf)];
      });
    },
    /** Called after an upload, with its id. */
    isUploaded: (key: string, id: string, fresh: readonly SavedPhoto[]) => {
      setKnown(() => fresh);
      setEntries((all) => all.map((entry) => (entry.key === key ? { key, id, alt: entry.alt } : entry)));
    },
  };
}

const entryOf = ({ id, alt }: SavedPhoto): PhotoEntry => ({ key: id, id, alt: alt ?? '' });

const isDifferent = (entries: readonly PhotoEntry[], saved: readonly SavedPhoto[]): boolean =>
  entries.length !== saved.length ||
  entries.some(({ id, alt }, index) => saved[index]?.id !== id || (saved[index]?.alt ?? '') !== alt.trim());

/** A state whose newest value is known before the next render. */
function useCurrent<Value>(first: Value | (() => Value)) {
  const [shown, setShown] = useState(first);
  const current = useRef(shown);
  const set = (next: (before: Value) => Value) => {
    current.current = next(current.current);
    setShown(() => current.current);
  };
  return [
    {
      shown,
      get current() {
        return current.current;
      },
    },
    set,
  ] as const;
}
