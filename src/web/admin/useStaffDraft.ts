import { useEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { findDraft, useDraft } from '../account/drafts';
import { session, useSession } from '../server/session';

type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'formState' | 'getValues' | 'setValue'>;

interface Keeping<Values extends FieldValues> {
  /** The fields that are kept nowhere. */
  secrets?: readonly Path<Values>[];
  /** What the changes were made to, where a save counts from it: it is kept with them. */
  basis?: unknown;
}

/**
 * When the session ends under a form, what was changed in it is there again after the login; the rest is then as the
 * form began, with what `findDraftBasis` gives, or as the server has it.
 * @param name of the form and of what it is about
 */
export function useStaffDraft<Values extends FieldValues>(
  name: string,
  { formState: { dirtyFields }, getValues, setValue }: Form<Values>,
  { secrets = [], basis }: Keeping<Values> = {},
): void {
  const userId = useSession()?.id ?? '';
  const changed = (Object.keys(dirtyFields) as Path<Values>[]).filter((field) => !secrets.includes(field));
  useEffect(() => {
    for (const [field, value] of findChanges(userId, name)?.values ?? [])
      setValue(field as Path<Values>, value as never, { shouldDirty: true, shouldTouch: true });
  }, [userId, name, setValue]);
  useSavedChanges(name, () => changed.map((field) => [field, getValues(field)]), basis);
}

type Changes = [field: string, value: unknown][];

/** Keeps what was changed where no form of the library holds it, when the session ends. */
export function useSavedChanges(name: string, read: () => Changes, basis?: unknown): void {
  useDraft(useSession()?.id ?? '', 'staff', () => {
    const values = session.get() === null ? read() : [];
    return values.length > 0 ? { name, values, basis } : undefined;
  });
}

/** @returns what was changed in `name` when the session ended */
export const findSavedChanges = (name: string): Changes => findChanges(session.get()?.id ?? '', name)?.values ?? [];

/** @returns what the changes that wait for the form `name` were made to, if there are any: it begins with that */
export const findDraftBasis = (name: string): unknown => findChanges(session.get()?.id ?? '', name)?.basis;

function findChanges(userId: string, name: string) {
  const draft = findDraft(userId, 'staff');
  return draft?.name === name ? draft : undefined;
}
