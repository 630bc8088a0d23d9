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

const codePattern = /^[A-Za-z0-9-]{3,40}$/;

/**
 * @param text typed or pasted; case, surrounding spaces, zero-width characters and the kind of hyphen do not matter
 * @returns the code as stored, in capitals; undefined when it cannot be a code
 */
export function parseCode(text: string): string | undefined {
  const code = plainCode(text);
  return codePattern.test(code) ? code.toUpperCase() : undefined;
}
