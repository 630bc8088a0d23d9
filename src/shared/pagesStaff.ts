/** Limits and messages of the owner's pages for staff. Rule: docs/rules/pages.md, Editing */
import { countOf } from './counts';
import { pageMessages } from './pages';

/** Lengths in characters, and the maximum number of pages. The contract has the same limits. */
export const pageLimits = { slug: 80, title: 80, markdown: 40_000, pages: 50 } as const;

export const pageStaffMessages = {
  listStaffPages: { success: 'Pages', failure: "Couldn't load pages" },
  getStaffPage: pageMessages.getPage,
  previewPage: { success: 'Preview', failure: "Couldn't update the preview" },
  createPage: { success: 'Page added', failure: "Couldn't add the page. Try again." },
  updatePage: { success: 'Page saved', failure: "Couldn't save the page. Try again." },
  deletePage: { success: 'Page deleted', failure: "Couldn't delete the page. Try again." },
  restored: 'Page restored',
  published: (title: string) => `${title} is published`,
  unpublished: (title: string) => `${title} is no longer published`,
  tooMany: `You can have up to ${pageLimits.pages} pages`,
  slugTaken: "There's already a page at this address",
  changedMeanwhile: 'This page was changed after you opened it',
  deletedMeanwhile: 'This page was deleted after you opened it. Save again to restore it.',
  empty: 'No pages yet. Start from a text below, or add your own.',
  order: 'Published pages are in the footer, in this order.',
  startingTexts: 'Each has blanks for you to fill. Check every sentence: it must be true for your shop.',
  blanksLeft: (count: number) => `${countOf(count, 'blank')} to fill`,
  address: (slug: string) => `/pages/${slug}`,
  publishedHint: 'In the footer, under Explore',
  title: 'Enter a title',
  markdown: 'Enter a text',
  slug: 'Use lowercase letters and numbers, with single hyphens between them',
} as const;

/** A blank of a starting text, such as `[your email]`. The text of a link may look like one. */
const blankPattern = /\[your [^[\]\n]{1,100}\](?![([])/gi;
const mostNamed = 3;

/** @returns the blanks that are left in a text, each once */
export const blanksIn = (markdown: string): string[] => [...new Set(markdown.match(blankPattern))];

/** @returns why a text with these blanks can't be published */
export function fillBlanks(blanks: readonly string[]): string {
  const more = blanks.length - mostNamed;
  const named = [...blanks.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])];
  const last = named.pop() ?? '';
  const list = named.length > 0 ? `${named.join(', ')} and ${last}` : last;
  return `Fill in ${list} before you publish`;
}
