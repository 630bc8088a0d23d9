import { defaultTexts } from '../../shared/brandTexts';
import type { Schema } from '../../shared/contract';
import { renderMarkdown } from '../markdown/markdown';

export type About = Pick<Schema<'Shop'>, 'aboutHtml' | 'description'>;

/** @returns About Us as HTML, and its beginning for search engines; nothing for the initial text, which pages know */
export async function renderAbout(aboutText: string): Promise<About> {
  if (aboutText === defaultTexts.aboutText) return {};
  const aboutHtml = await renderMarkdown(aboutText);
  return { aboutHtml, description: beginningOf(await plainOf(aboutHtml)) };
}

async function plainOf(html: string): Promise<string> {
  const { convert } = await import('html-to-text');
  const text = convert(html, { wordwrap: false, selectors: [{ selector: 'a', options: { ignoreHref: true } }] });
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** About as much as search engines show. */
const longest = 160;

/** Whole words. */
const beginningOf = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest).replace(/\s+\S*$/, '')}…`;
