const zipPlus4 = /^\s*(\d{5})[-\s]?\d{4}\s*$/;

/**
 * @param text typed or pasted into a form
 * @returns the first five digits of a ZIP+4; any other text unchanged
 * Rule: docs/rules/accounts.md, Validation
 */
export const fiveDigits = (text: string): string => zipPlus4.exec(text.replace(/\p{Pd}/gu, '-'))?.[1] ?? text;
