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
