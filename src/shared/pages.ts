/** The owner's own texts, shown at /pages/{slug}. Rule: docs/rules/pages.md, Reading */
import type { Schema } from './contract';

export type ShopPage = Schema<'ShopPage'>;
export type StaffPage = Schema<'StaffPage'>;
export type ListedPage = Schema<'ListedPage'>;

export const pageMessages = {
  listPages: { success: 'Pages' },
  getPage: { success: 'Page', failure: "Couldn't load the page" },
  notFound: 'Page not found',
} as const;

const longestSummary = 160;
const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** @param html of a page @returns its first paragraph as plain text, for search engines */
export function summaryOf(html: string): string {
  const [, paragraph = ''] = html.split(/<\/?p>/, 2);
  const text = paragraph
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim();
  return text.length > longestSummary ? `${text.slice(0, longestSummary - 1)}…` : text;
}
