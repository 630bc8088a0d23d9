/** The tags of a page that the server draws, besides what React writes: fonts, chunks and styles, each at its place. */
import type { EmotionCache } from '@emotion/cache';
import type { Manifest } from '../../shared/rendering';

const entry = 'index.html';

/** Both fonts are asked for with the page, not only when its style sheet has come. */
export const fontLinks = (manifest: Manifest): string =>
  (manifest[entry]?.assets ?? [])
    .filter((file) => file.endsWith('.woff2'))
    .map((file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`)
    .join('');

/**
 * The style sheets and scripts of the page's own chunk, which index.html does not know.
 * @param chunk a file below src/web, such as 'home/HomePage.tsx'; none when the page is part of the first load
 */
export function chunkLinks(manifest: Manifest, chunk: string | undefined): string {
  const files = { css: new Set<string>(), js: new Set<string>() };
  const known = new Set([entry, ...(manifest[entry]?.imports ?? [])]);
  const collect = (name: string) => {
    const part = manifest[name];
    if (!part) throw new Error(`the built app has no ${name}`);
    if (known.has(name) || files.js.has(part.file)) return;
    files.js.add(part.file);
    for (const file of part.css ?? []) files.css.add(file);
    for (const next of part.imports ?? []) collect(next);
  };
  if (chunk !== undefined) collect(chunk);
  const styles = [...files.css].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`);
  const scripts = [...files.js].map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
  return [...scripts, ...styles].join('');
}

/**
 * The rules that Emotion collected, as it expects to find them in the browser. They stand last in the head, where it
 * keeps them from then on.
 */
export function styleTags({ key, inserted, registered }: EmotionCache): string {
  const rules = Object.entries(inserted).filter((rule): rule is [string, string] => typeof rule[1] === 'string');
  const isGlobal = ([id]: [string, string]) => registered[`${key}-${id}`] === undefined;
  const forAll = rules.filter(isGlobal).map(([id, css]) => tag(`${key}-global ${id}`, css));
  const own = rules.filter((rule) => !isGlobal(rule));
  return [...forAll, tag(`${key} ${own.map(([id]) => id).join(' ')}`, own.map(([, css]) => css).join(''))].join('');
}

const tag = (name: string, css: string) => `<style data-emotion="${name}" data-s="">${css}</style>`;

/** @param blocks matches whose first group is the text of an inline script or style */
export async function hashesOf(blocks: Iterable<RegExpMatchArray>): Promise<string[]> {
  const texts = Array.from(blocks, ([, text = '']) => text);
  return Promise.all(texts.map(hashOf));
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
