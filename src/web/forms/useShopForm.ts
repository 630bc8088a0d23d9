import { useEffect } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Mode,
  type Path,
  type RegisterOptions,
  useForm,
  type UseFormRegisterReturn,
  type UseFormReturn,
  type UseFormSetError,
} from 'react-hook-form';
import type { ZodType } from 'zod';
import { ApiError } from '../server/errors';
import { resolverOf } from './resolver';

interface Beginning<Values> {
  defaultValues: Values;
  /** Fields are checked from the moment when they are first left, or only once the form was sent. */
  mode?: Mode;
}

type ShopForm<Values extends FieldValues, Sent> = UseFormReturn<Values, unknown, Sent> & {
  field: <Name extends Path<Values>>(
    name: Name,
    options?: RegisterOptions<Values, Name>,
  ) => UseFormRegisterReturn<Name> & { error: string | undefined };
};

/**
 * A form with its rules.
 * @param rules a schema of shared/…Forms.ts
 * @returns the form, and `field`, which ties an input to it and says what is wrong with it
 */
export function useShopForm<Values extends FieldValues, Sent extends { [Name in keyof Values]?: unknown }>(
  rules: ZodType<Sent>,
  { defaultValues, mode = 'onTouched' }: Beginning<Values>,
): ShopForm<Values, Sent> {
  const form = useForm<Values, unknown, Sent>({
    resolver: resolverOf<Values, Sent>(rules),
    defaultValues: defaultValues as DefaultValues<Values>, // all of them: the library would take a part
    mode,
  });
  const { register, formState } = form;
  const field = <Name extends Path<Values>>(name: Name, options?: RegisterOptions<Values, Name>) => {
    const message = formState.errors[name]?.message;
    return { ...register(name, options), error: typeof message === 'string' ? message : undefined };
  };
  return { ...form, field };
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
