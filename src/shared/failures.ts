/** Fallback messages. Rule: docs/rules/screens.md, Toasts */
export const unexpected = 'Something went wrong. Please try again.';
