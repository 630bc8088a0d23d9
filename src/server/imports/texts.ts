/** Descriptions of other shops as plain text. */

const tag = /<\/?[a-z][^<>]*>|&(?:[a-z]{2,8}|#\d{1,6}|#x[\da-f]{1,6});/i;

export type TextReader = (html: string) => string;

/** @returns a function that reads HTML as plain text, and leaves other text as it is */
export async function openTextReader(): Promise<TextReader> {
  const { compile } = await import('html-to-text'); // only imports need it
  const heading = { uppercase: false };
  const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: heading }));
  const read = compile({
    wordwrap: false,
    limits: { maxDepth: 50, maxInputLength: 200_000 },
    selectors: [
      ...headings,
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'iframe', format: 'skip' },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
      { selector: 'ul', options: { itemPrefix: '- ' } },
    ],
  });
  return (html) =>
    tag.test(html)
      ? read(html)
          .replaceAll(/\n{3,}/g, '\n\n')
          .trim()
      : html.trim();
}
