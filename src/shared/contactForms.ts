import * as z from './zod';
import { requiredText, ruledText, textRules } from './addressForms';
import { emailRule } from './authForms';
import { contactLimits, inboxLimits } from './contact';

/** Pasted line breaks become blanks, since the text may stand in the header of a mail. */
const optionalLine = (maxLength: number) =>
  ruledText(textRules(maxLength), z.string().trim())
    .transform((text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))
    .default('');

/** A message to the owner: where to answer, and what it is about. Rule: docs/rules/contact-and-mail.md, Contact form */
export const contactForm = z.object({
  fullName: optionalLine(contactLimits.fullName),
  email: emailRule,
  phone: optionalLine(contactLimits.phone),
  reason: requiredText(contactLimits.reason),
  /** People do not see this field; only robots fill it in. */
  website: z.string().max(contactLimits.website).default(''),
});

/** What staff answer to a message. */
export const replyForm = z.object({ text: requiredText(inboxLimits.reply) });
