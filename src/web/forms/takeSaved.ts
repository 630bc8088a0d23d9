import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';

type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'getValues' | 'reset' | 'setValue'>;

/**
 * For a form that stays open when it was saved. A field that still holds what was sent shows what was saved; what was
 * typed meanwhile stays, as a change of that. (The library's `keepDirtyValues` would keep what was sent as well.)
 * @param sent what the form held when it was sent
 * @param saved all its fields as they begin anew
 */
export function takeSaved<Values extends FieldValues>(
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
