/** The name of a list. Rule: docs/rules/kitchen.md, Lists */
import * as z from './zod';
import { requiredText } from './addressForms';
import { listLimits } from './lists';

/** To make a list, and to give it another name. */
export const listNameForm = z.object({ name: requiredText(listLimits.name) });
