/**
 * @param text a code as typed or pasted
 * @returns the code in plain letters, digits and hyphens: replaces full-width characters and other hyphens, removes
 *   zero-width characters and surrounding spaces. Case stays.
 * Rule: docs/rules/accounts.md, Second factor; docs/rules/selling.md, Discount codes
 */
export const plainCode = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim();
