/**
 * @returns the cells as CSV. A cell that a spreadsheet would calculate starts with an apostrophe, as in the server's files
 */
export const csvOf = (lines: readonly (readonly string[])[]): string =>
  lines.map((cells) => cells.map(cellOf).join(',')).join('\n');

function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
