/** The form of a page of the owner. Rule: docs/rules/pages.md, Editing */
import * as z from './zod';
import { requiredText, type Rule, ruledText, textRules } from './addressForms';
import { blanksIn, fillBlanks, pageLimits, pageStaffMessages as messages } from './pagesStaff';

const slugRule: Rule = [(slug) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug), messages.slug];

export const pageForm = z
  .object({
    title: requiredText(pageLimits.title, messages.title).transform((text) =>
      text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
    ),
    slug: ruledText([...textRules(pageLimits.slug), slugRule], z.string(messages.slug).trim()),
    markdown: requiredText(pageLimits.markdown, messages.markdown),
    isPublished: z.boolean(),
  })
  .superRefine(({ isPublished, markdown }, check) => {
    const blanks = isPublished ? blanksIn(markdown) : [];
    if (blanks.length > 0) check.addIssue({ code: 'custom', path: ['markdown'], message: fillBlanks(blanks) });
  });
