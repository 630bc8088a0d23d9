/** The name of a list. Rule: docs/rules/kitchen.md, Lists */
import * as z from './zod';
import { requiredText } from './addressForms';
import { listLimits } from './lists';
import { isNameRequired } from './required';

/** For creating and renaming a list. */
export const listNameForm = z.object({ name: requiredText(listLimits.name, isNameRequired) });
