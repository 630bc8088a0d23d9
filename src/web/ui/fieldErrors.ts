import { useEffect } from 'react';
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError } from '../api/apiError';

/** Puts what the server said about fields under these fields. */
export function useFieldErrors<Values extends FieldValues>(error: unknown, setError: UseFormSetError<Values>): void {
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    for (const { field, message } of error.errors) setError(field as Path<Values>, { message });
  }, [error, setError]);
}
