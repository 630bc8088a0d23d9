import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Mode,
  type Path,
  type PathValue,
  type RegisterOptions,
  type Resolver,
  useForm,
  type UseFormRegisterReturn,
  type UseFormReturn,
  type UseFormSetError,
} from 'react-hook-form';
import { type SentForm, sentFormKey } from '../../shared/rendering';
import { ApiError } from '../server/errors';

export interface Prefix<Values> {
  defaultValues: Values;
  /** Fields are checked from the moment when they are first left, or only once the form was sent. */
  mode?: Mode;
  /** The form as it was sent without JavaScript, when this is the page that answered it. */
  sent?: SentForm | undefined;
}

export type ShopForm<Values extends FieldValues, Sent> = UseFormReturn<Values, unknown, Sent> & {
  field: <Name extends Path<Values>>(
    name: Name,
    options?: RegisterOptions<Values, Name>,
  ) => UseFormRegisterReturn<Name> & { error: string | undefined; defaultValue?: string | undefined };
  /** Why the form that was sent without JavaScript was refused, when no field was wrong; until it is sent from here. */
  failure: string | undefined;
};

/**
 * What was sent from a page without JavaScript; the server drew this page with it. It is for this view of the page alone.
 * @param path that the form is sent to
 */
export function useSentForm(path: string): SentForm | undefined {
  const cache = useQueryClient();
  const [sent] = useState(() => cache.getQueryData<SentForm>(sentFormKey));
  useEffect(() => () => cache.removeQueries({ queryKey: sentFormKey }), [cache]);
  return sent?.path === path ? sent : undefined;
}

/**
 * A form that somebody checks: for pages whose few rules are not worth loading zod, which is most of what a form weighs.
 * @param resolver the library's word for what checks all fields
 * @returns the form, and `field`, which ties an input to it and says what is wrong with it. What somebody typed into a
 *   field of a page that the server drew stays in it when the app takes the page over.
 */
export function usePlainForm<Values extends FieldValues, Sent = Values>(
  resolver: Resolver<Values, unknown, Sent>,
  { defaultValues, mode = 'onTouched', sent }: Prefix<Values>,
): ShopForm<Values, Sent> {
  const form = useForm<Values, unknown, Sent>({
    resolver,
    defaultValues: defaultValues as DefaultValues<Values>, // all of them: the library would take a part
    mode,
  });
  const { register, formState } = form;
  const { errors, dirtyFields, isSubmitted } = formState;
  const field = <Name extends Path<Values>>(name: Name, options?: RegisterOptions<Values, Name>) => {
    const { ref, ...input } = register(name, options);
    const message = errors[name]?.message;
    const isChanged = isSubmitted || (dirtyFields as Record<string, unknown>)[name] === true;
    const before = isChanged ? undefined : sent?.errors.find((error) => error.field === name)?.message;
    return {
      ...input,
      ref: (element: Control | null) => {
        const typed = element ? typedBefore(element) : undefined;
        ref(element); // which fills it with the form's own value
        if (typed !== undefined && typed !== element?.value)
          form.setValue(name, typed as PathValue<Values, Name>, { shouldDirty: true });
      },
      error: typeof message === 'string' ? message : before,
      ...(sent && { defaultValue: sent.values[name] }), // the form fills its fields in the browser only
    };
  };
  return { ...form, field, failure: isSubmitted ? undefined : sent?.failure };
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const taken = new WeakSet<Control>();

/** @returns what somebody entered into a control of a page that the server drew, before the app first took hold of it */
function typedBefore(control: Control): string | undefined {
  if (taken.has(control)) return undefined;
  taken.add(control);
  return control.value === drawnValue(control) ? undefined : control.value;
}

function drawnValue(control: Control): string | undefined {
  if (!('options' in control)) return control.defaultValue;
  return ([...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0])?.value;
}

/** Puts what the server said about fields under these fields; the first of them takes the focus. */
export function useFieldErrors<Values extends FieldValues>(error: unknown, setError: UseFormSetError<Values>): void {
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    error.errors.forEach(({ field, message }, index) =>
      setError(field as Path<Values>, { message }, { shouldFocus: index === 0 }),
    );
  }, [error, setError]);
}

interface Checked {
  touchedFields: { confirmPassword?: boolean | undefined };
  isSubmitted: boolean;
}

/**
 * For `field('password', …)`: the confirmation is checked again with the password, once it was checked at all. Before
 * that it would be said to be missing while the password is still typed.
 */
export function withConfirmation({ touchedFields, isSubmitted }: Checked): { deps: 'confirmPassword'[] } {
  return { deps: touchedFields.confirmPassword || isSubmitted ? ['confirmPassword'] : [] };
}
