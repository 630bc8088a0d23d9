import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { ZodType } from '../../shared/zod';

/**
 * The only adapter between React Hook Form and zod. The library's adapter requires the fields' type to match the
 * schema's input; our forms contain strings, which the schema converts to lists, numbers or nothing, and rejects at run
 * time.
 * @param rules a schema of shared/…Forms.ts; its output is what is sent
 */
export const resolverOf = <Values extends FieldValues, Sent extends { [Name in keyof Values]?: unknown }>(
  rules: ZodType<Sent>,
): Resolver<Values, unknown, Sent> => zodResolver(rules as ZodType<Sent, Values>);
