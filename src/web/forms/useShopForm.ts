import type { FieldValues } from 'react-hook-form';
import type { ZodType } from '../../shared/zod';
import { type FormOptions, type ShopForm, usePlainForm } from './plainForm';
import { resolverOf } from './resolver';

/**
 * A form with its rules.
 * @param rules a schema of shared/…Forms.ts
 */
export const useShopForm = <Values extends FieldValues, Sent extends { [Name in keyof Values]?: unknown }>(
  rules: ZodType<Sent>,
  options: FormOptions<Values>,
): ShopForm<Values, Sent> => usePlainForm(resolverOf<Values, Sent>(rules), options);
