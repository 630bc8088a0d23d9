/** What staff write about a customer. */
import { requiredText, ruledText, textRules } from './addressForms';
import { cleanTags, customerLimits, customerMessages as messages } from './customers';
import * as z from './zod';

export const customerNoteForm = z.object({ text: requiredText(customerLimits.note, messages.isNoNote) });

const tagRule = ruledText(textRules(customerLimits.tag), z.string());

const tagsRule = z
  .array(z.string())
  .transform(cleanTags)
  .pipe(z.array(tagRule).max(customerLimits.tags, messages.tooManyTags));

export const customerTagsForm = z.object({ tags: tagsRule, seen: z.array(z.string()).transform(cleanTags).optional() });

/** One more tag, in the form of a customer's page. */
export const newTagForm = z.object({ tag: requiredText(customerLimits.tag, messages.isNoTag) });
