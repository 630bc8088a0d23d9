/**
 * Reads what nobody needs of an answer: until it was read to its end, its call is under way to the browser, and to whatever
 * waits for a quiet network.
 */
export const skipBody = (response: Response): void => void response.text().catch(() => undefined);
