import type { ZodType } from 'zod';
import { errorMessages } from '../../../shared/errorMessages';
import { invalid } from '../core/problems';

/**
 * Checks a body by the form it comes from, one message per field, before the contract looks at it: both sides of the
 * wire then say the same sentence. Fields that the form does not know are left to the contract, which refuses them.
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
