/** What is said when nothing better is known. Rule: docs/rules/screens.md, Toasts */
export const unexpected = 'Something went wrong. Please try again.';
