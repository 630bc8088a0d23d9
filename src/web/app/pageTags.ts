/** The tags of a server-rendered page that React doesn't write: fonts, chunks and style sheets. */
import type { Manifest, RenderingParts } from '../../shared/rendering';
import type { InlineCode } from './inlineCode';

/** The built pageStart.ts: a script in which `appScripts` is a free variable. */
declare const pageStartScript: string;

type Parts = Pick<RenderingParts, 'manifest' | 'styles'>;
type Styles = Parts['styles'];

const entry = 'index.html';

/** Preloads the text font. The heading font loads later, when the styles are read. */
export const fontLinks = (manifest: Manifest): string =>
  (manifest[entry]?.assets ?? [])
    .filter((file) => file.includes('/figtree-latin-wght-'))
    .map((file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`)
    .join('');

/**
 * The template of a page that is complete without scripts and without external style sheets: styles are inlined, and
 * `headTags` adds the scripts.
 */
export const lightenFirstLoad = (template: string, styles: Styles, code: InlineCode): string =>
  template
    .replace(/<script type="module"[^<>]{1,300}><\/script>/g, '')
    .replace(/<link rel="modulepreload"[^<>]{1,300}>/g, '')
    .replace(/<link rel="stylesheet" crossorigin href="\/([^"]{1,200})">/g, (_, file: string) =>
      inlineStyle(file, styles, code),
    );

/**
 * The style sheets of the page's own chunk, which index.html doesn't list, and the start script that loads its scripts.
 * @param chunk a file below src/web, such as 'home/HomePage.tsx'; none when the page is part of the first load
 */
export function headTags({ manifest, styles }: Parts, chunk: string | undefined, code: InlineCode): string {
  const files = { css: new Set<string>(), js: new Set<string>() };
  const known = new Set([entry, ...(manifest[entry]?.imports ?? [])]);
  const partOf = (name: string) => {
    const part = manifest[name];
    if (!part) throw new Error(`the built app has no ${name}`);
    return part;
  };
  const collect = (name: string) => {
    const part = partOf(name);
    if (files.js.has(part.file)) return;
    files.js.add(part.file);
    if (!known.has(name)) for (const file of part.css ?? []) files.css.add(file);
    for (const next of part.imports ?? []) collect(next);
  };
  collect(entry);
  if (chunk !== undefined) collect(chunk);
  const scripts = [...files.js].map((file) => `/${file}`);
  return [
    code.script(`(appScripts=>{${pageStartScript}})(${JSON.stringify(scripts)})`),
    ...[...files.css].map((file) => inlineStyle(file, styles, code)),
  ].join('');
}

/** The disabled link tells the chunk loader that these styles are already loaded. */
function inlineStyle(file: string, styles: Styles, code: InlineCode): string {
  const css = styles[file];
  if (css === undefined) throw new Error(`the built app has no ${file}`);
  return `${code.style(css.trim())}<link rel="stylesheet" href="/${file}" disabled>`;
}

/** The head tags at the start of the rendered HTML: without a <head> in the tree, React writes them first. */
export function leadingHead(html: string): string {
  let end = 0;
  for (;;) {
    const isTitle = html.startsWith('<title', end);
    if (!isTitle && !html.startsWith('<link', end) && !html.startsWith('<meta', end)) return html.slice(0, end);
    const terminator = isTitle ? '</title>' : '>';
    end = html.indexOf(terminator, end) + terminator.length;
  }
}

/** Removes the template's title; the page has its own. */
export function withoutTitle(html: string): string {
  const [begin, end] = [html.indexOf('<title>'), html.indexOf('</title>')];
  return begin < 0 || end < begin ? html : html.slice(0, begin) + html.slice(end + '</title>'.length);
}
