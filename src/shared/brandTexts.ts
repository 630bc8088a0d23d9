/**
 * The texts of the home page until the owner changes them. The page has its own copy, since a chunk that it shared with the
 * back office would be named in the first load; tests/server/pages/brand.test.ts compares them.
 */
export const defaultTexts = {
  bannerText: 'Flavor your world with our savory sensations!',
  /** In Markdown. */
  aboutText: `We are a Gambian-owned shop for savory seasonings and spices.

Home cooks and professional chefs cook from the same jars. Browse, build a cart, and check any product right in your kitchen, even without a signal.`,
} as const;
