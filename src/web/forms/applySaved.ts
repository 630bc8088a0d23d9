import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';

type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'getValues' | 'reset' | 'setValue'>;

/**
 * For forms that stay open after saving. A field that still has the sent value shows the saved one; text typed
 * meanwhile stays, as a change to that. (The library's `keepDirtyValues` would also keep the sent values.)
 * @param sent the form's values when it was sent
 * @param saved the new default values of all fields
 */
export function applySaved<Values extends FieldValues>(
  { getValues, reset, setValue }: Form<Values>,
  sent: Values,
  saved: Values,
): void {
  const now = getValues();
  reset(saved, { keepValues: true });
  for (const name of Object.keys(now) as Path<Values>[]) {
    const isAsSent = Object.is(now[name], sent[name]);
    if (isAsSent) setValue(name, saved[name] as PathValue<Values, Path<Values>>, { shouldDirty: true });
  }
}
