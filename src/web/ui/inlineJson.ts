/** JSON that may stand between script tags: what people wrote cannot end the block early. */
export const inlineJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
