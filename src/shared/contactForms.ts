import * as z from 'zod';
import { requiredText, ruledText, textRules } from './addressForms';
import { emailRule } from './authForms';
import { contactLimits, inboxLimits } from './contact';

/** One line, whatever was pasted: it may come to stand in the head of a mail. */
const optionalLine = (maxLength: number) =>
  ruledText(textRules(maxLength), z.string().trim())
    .transform((text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))
    .default('');

/** A message to the owner: where to answer, and what it is about. Source: decisions §6, §8 */
export const contactForm = z.object({
  fullName: optionalLine(contactLimits.fullName),
  email: emailRule,
  phone: optionalLine(contactLimits.phone),
  reason: requiredText(contactLimits.reason),
  /** No person sees this field; who fills it in is a robot. */
  website: z.string().max(contactLimits.website).default(''),
});

/** What staff answer to a message. */
export const replyForm = z.object({ text: requiredText(inboxLimits.reply) });
