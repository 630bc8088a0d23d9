import { useEffect } from 'react';
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError } from '../api/apiError';

/** Puts what the server said about fields under these fields; the first of them takes the focus. */
export function useFieldErrors<Values extends FieldValues>(error: unknown, setError: UseFormSetError<Values>): void {
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    error.errors.forEach(({ field, message }, index) =>
      setError(field as Path<Values>, { message }, { shouldFocus: index === 0 }),
    );
  }, [error, setError]);
}
