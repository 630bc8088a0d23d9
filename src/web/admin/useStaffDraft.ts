import { useEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { findDraft, useDraft } from '../account/drafts';
import { session, useSession } from '../api/session';

type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'formState' | 'getValues' | 'setValue'>;

/**
 * When the session ends under a form, what was changed in it is there again after the login; the rest is then as the
 * server has it.
 * @param name of the form and of what it is about
 * @param secrets the fields that are kept nowhere
 */
export function useStaffDraft<Values extends FieldValues>(
  name: string,
  { formState: { dirtyFields }, getValues, setValue }: Form<Values>,
  secrets: readonly Path<Values>[] = [],
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
    return { name, values: changed.map((field) => [field, getValues(field)]) };
  });
}
