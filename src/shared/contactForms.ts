import * as z from './zod';
import { requiredText, ruledText, textRules } from './addressForms';
import { emailRule } from './authForms';
import { contactLimits, inboxLimits } from './contact';

/** Pasted line breaks become spaces, because the text may go into a mail header. */
const optionalLine = (maxLength: number) =>
  ruledText(textRules(maxLength), z.string().trim())
    .transform((text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))
    .default('');

/** A message to the owner: the sender's contact data and the reason. Rule: docs/rules/contact-and-mail.md, Contact form */
export const contactForm = z.object({
  fullName: optionalLine(contactLimits.fullName),
  email: emailRule,
  phone: optionalLine(contactLimits.phone),
  reason: requiredText(contactLimits.reason, 'Enter a message'),
  /** Honeypot: hidden from people, so only bots fill it in. */
  website: z.string().max(contactLimits.website).default(''),
});

/** The answer of staff to a message. */
export const replyForm = z.object({ text: requiredText(inboxLimits.reply, 'Enter your reply') });
