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

export interface FormOptions<Values> {
  defaultValues: Values;
  /** When validation starts: after a field is first left, or only after the first submit. */
  mode?: Mode;
  /** The form as submitted without JavaScript, if this page is the response to it. */
  sent?: SentForm | undefined;
}

export type ShopForm<Values extends FieldValues, Sent> = UseFormReturn<Values, unknown, Sent> & {
  field: <Name extends Path<Values>>(
    name: Name,
    options?: RegisterOptions<Values, Name>,
  ) => UseFormRegisterReturn<Name> & { error: string | undefined; defaultValue?: string | undefined };
  /**
   * Why the form submitted without JavaScript was rejected, if no field was wrong; until it is submitted again here.
   */
  failure: string | undefined;
};

/**
 * The form submitted from a page without JavaScript, which the server used to render this page. For this page view
 * only.
 * @param path the form's action
 */
export function useSentForm(path: string): SentForm | undefined {
  const cache = useQueryClient();
  const [sent] = useState(() => cache.getQueryData<SentForm>(sentFormKey));
  useEffect(() => () => cache.removeQueries({ queryKey: sentFormKey }), [cache]);
  return sent?.path === path ? sent : undefined;
}

/**
 * A form with a handwritten validator: for pages with few rules, where loading zod, most of a form's size, isn't worth
 * it.
 * @param resolver React Hook Form's term for a validator of all fields
 * @returns the form, and `field`, which binds an input to it and returns its error. Text typed into a server-rendered
 * page survives hydration.
 */
export function usePlainForm<Values extends FieldValues, Sent = Values>(
  resolver: Resolver<Values, unknown, Sent>,
  { defaultValues, mode = 'onTouched', sent }: FormOptions<Values>,
): ShopForm<Values, Sent> {
  const form = useForm<Values, unknown, Sent>({
    resolver,
    defaultValues: defaultValues as DefaultValues<Values>, // complete, though the library also accepts a part
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
        const typedText = element ? typedBeforeHydration(element) : undefined;
        ref(element); // fills it with the form's own value
        if (typedText !== undefined && typedText !== element?.value)
          form.setValue(name, typedText as PathValue<Values, Name>, { shouldDirty: true });
      },
      error: typeof message === 'string' ? message : before,
      ...(sent && { defaultValue: sent.values[name] }), // the form fills its fields only in the browser
    };
  };
  return { ...form, field, failure: isSubmitted ? undefined : sent?.failure };
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const bound = new WeakSet<Control>();

/** @returns what the user entered into a server-rendered control before the app first bound it */
function typedBeforeHydration(control: Control): string | undefined {
  if (bound.has(control)) return undefined;
  bound.add(control);
  return control.value === renderedValue(control) ? undefined : control.value;
}

function renderedValue(control: Control): string | undefined {
  if (!('options' in control)) return control.defaultValue;
  return ([...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0])?.value;
}

/** Shows the server's field errors under their fields; the first one gets the focus. */
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
 * For `field('password', …)`: revalidates the confirmation along with the password, but only once it has been
 * validated. Otherwise it would be reported as missing while the password is still being typed.
 */
export function withConfirmation({ touchedFields, isSubmitted }: Checked): { deps: 'confirmPassword'[] } {
  return { deps: touchedFields.confirmPassword || isSubmitted ? ['confirmPassword'] : [] };
}
