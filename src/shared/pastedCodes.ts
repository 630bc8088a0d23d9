/**
 * @param text a code as typed or pasted
 * @returns the code in the letters, digits and hyphens of a keyboard: full-width ones are replaced, other hyphens become
 *   `-`, zero-width characters and spaces at the ends go. Case stays.
 * Rule: docs/rules/accounts.md, Second factor; docs/rules/selling.md, Discount codes
 */
export const plainCode = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim();
