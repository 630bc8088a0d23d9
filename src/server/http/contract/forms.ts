import type { ZodType } from 'zod';
import { errorMessages } from '../../../shared/errorMessages';
import { invalid } from '../core/problems';

/**
 * Checks a body by its form's schema, with one message per field, before the contract's check, so that client and server
 * show the same messages. Fields unknown to the form are left to the contract, which rejects them.
 * @returns the body with the form's own results in it (trimmed text, codes)
 * @throws Problem 400 with `errors`
 */
export function checkForm(form: ZodType, body: unknown): unknown {
  const checked = form.safeParse(body);
  if (checked.success) return { ...(body as object), ...(checked.data as object) };
  const errors = new Map<string, string>();
  for (const { path, message } of checked.error.issues) {
    const field = path.join('.');
    if (!errors.has(field)) errors.set(field, message);
  }
  const [first] = errors.values();
  throw invalid(
    first ?? errorMessages.invalid,
    [...errors].map(([field, message]) => ({ field, message })),
  );
}
