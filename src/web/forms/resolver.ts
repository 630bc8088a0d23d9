import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { ZodType } from '../../shared/zod';

/**
 * The one place where React Hook Form and zod meet. The adapter wants fields of the very type that the rules take; a form
 * holds texts, of which the rules make lists, numbers or nothing, and refuse at run time what they cannot take.
 * @param rules a schema of shared/…Forms.ts; what it makes of the fields is what is sent
 */
export const resolverOf = <Values extends FieldValues, Sent extends { [Name in keyof Values]?: unknown }>(
  rules: ZodType<Sent>,
): Resolver<Values, unknown, Sent> => zodResolver(rules as ZodType<Sent, Values>);
