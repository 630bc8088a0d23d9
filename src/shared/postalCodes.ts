const zipPlus4 = /^\s*(\d{5})[-\s]?\d{4}\s*$/;

/**
 * @param text as it was typed or pasted into a form
 * @returns the first five digits of a ZIP+4; anything else as it is
 * Rule: docs/rules/accounts.md, Validation
 */
export const fiveDigits = (text: string): string => zipPlus4.exec(text.replace(/\p{Pd}/gu, '-'))?.[1] ?? text;
