/** Descriptions of other shops as plain text. */

/** @returns the text of HTML; plain text unchanged */
export const plainText = (html: string): string => html;
