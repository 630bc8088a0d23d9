import { useEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { findDraft, useDraft } from '../users/drafts';
import { session, useSession } from '../server/session';

type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'formState' | 'getValues' | 'setValue'>;

interface Keeping<Values extends FieldValues> {
  /** Fields that are never saved. */
  secrets?: readonly Path<Values>[];
  /** The state that the changes are based on, if a save depends on it; saved with them. */
  basis?: unknown;
}

/**
 * When the session ends while a form is open, saves its changes and restores them after the login. The other fields
 * then have the values of `findDraftBasis`, or the server's.
 * @param name identifies the form and its subject
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

/** Saves changes that are not in a form of the form library when the session ends. */
export function useSavedChanges(name: string, read: () => Changes, basis?: unknown): void {
  useDraft(useSession()?.id ?? '', 'staff', () => {
    const values = session.get() === null ? read() : [];
    return values.length > 0 ? { name, values, basis } : undefined;
  });
}

/** @returns the changes of `name` that were saved when the session ended */
export const findSavedChanges = (name: string): Changes => findChanges(session.get()?.id ?? '', name)?.values ?? [];

/** @returns the state that the saved changes of the form `name` are based on, if any: the form starts with it */
export const findDraftBasis = (name: string): unknown => findChanges(session.get()?.id ?? '', name)?.basis;

function findChanges(userId: string, name: string) {
  const draft = findDraft(userId, 'staff');
  return draft?.name === name ? draft : undefined;
}
