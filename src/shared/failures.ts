/** What is said when nothing better is known. Source: specification §8 */
export const unexpected = 'Something went wrong. Please try again.';
