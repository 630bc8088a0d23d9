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
    const draft = findDraft(userId, 'staff');
    if (draft?.name !== name) return;
    for (const [field, value] of draft.values)
      setValue(field as Path<Values>, value as never, { shouldDirty: true, shouldTouch: true });
  }, [userId, name, setValue]);
  useDraft(userId, 'staff', () => {
    if (session.get() !== null || changed.length === 0) return undefined;
    return { name, values: changed.map((field) => [field, getValues(field)]), basis };
  });
}

/** @returns what the changes that wait for the form `name` were made to, if there are any: it begins with that */
export function findDraftBasis(name: string): unknown {
  const draft = findDraft(session.get()?.id ?? '', 'staff');
  return draft?.name === name ? draft.basis : undefined;
}
