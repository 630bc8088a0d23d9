/**
 * The owner's texts (pages, the home page's About Us) as HTML that is safe inside any page of the shop. Two walls: the
 * parser passes no HTML and no link but those that `isAllowedLink` allows, and the sanitizer lets only the listed elements
 * through. Both libraries load with the first text, because most processes never render one.
 */
import type { Token } from 'markdown-it';

type Render = (markdown: string) => string;
let loading: Promise<Render> | undefined;

/**
 * @param markdown CommonMark with tables and strikethrough. HTML in it is shown as text, and a picture as its description.
 *   Headings start at h2, since the title of the page is its h1.
 * @returns HTML with links to the shop's own paths, http, https, mailto, and tel only
 * Rule: docs/rules/pages.md, Formatted text
 */
export async function renderMarkdown(markdown: string): Promise<string> {
  loading ??= load();
  const render = await loading;
  return render(markdown);
}

async function load(): Promise<Render> {
  const [{ default: MarkdownIt }, { default: sanitize }] = await Promise.all([
    import('markdown-it'),
    import('sanitize-html'),
  ]);
  const parser = new MarkdownIt({ html: false, linkify: true });
  parser.linkify.set({ fuzzyLink: false }); // 'rice.it' in a sentence is no link
  parser.validateLink = isAllowedLink;
  parser.renderer.rules['image'] = (tokens, index) => parser.utils.escapeHtml(tokens[index]?.content ?? '');
  parser.core.ruler.push('headings', ({ tokens }) => tokens.forEach(startAtH2));
  return (markdown) => sanitize(parser.render(markdown), allowed);
}

function startAtH2(token: Token): void {
  if (token.type.startsWith('heading_') && token.tag === 'h1') token.tag = 'h2';
}

/** @param url as the parser has encoded it: another site, an email address, a phone number, or a path of the shop */
const isAllowedLink = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:|\/(?!\/))/i.test(url);

const allowed = {
  allowedTags: 'h2 h3 h4 h5 h6 p br hr ul ol li blockquote pre code strong em s a table thead tbody tr th td'.split(
    ' ',
  ),
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName: string, { href = '' }: Record<string, string>) => ({
      tagName,
      attribs: { href, ...(/^http/i.test(href) && { rel: 'noopener noreferrer' }) },
    }),
  },
};
