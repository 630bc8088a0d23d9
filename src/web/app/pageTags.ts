/** The tags of a page that the server draws, besides what React writes: fonts, chunks and styles, each at its place. */
import type { EmotionCache } from '@emotion/cache';
import type { Manifest, RenderingParts } from '../../shared/rendering';
import { earlyOfferKey } from '../offline/install';
import { aliveEvent } from './alive';

type Styles = RenderingParts['styles'];

const entry = 'index.html';

/** Both fonts are asked for with the page, not only when its style sheet has come. */
export const fontLinks = (manifest: Manifest): string =>
  (manifest[entry]?.assets ?? [])
    .filter((file) => file.endsWith('.woff2'))
    .map((file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`)
    .join('');

/**
 * The template of a page that shows everything without scripts and without waiting for a style sheet: those are written
 * into it, and scripts are fetched by `headTags`.
 */
export const lightenFirstLoad = (template: string, styles: Styles): string =>
  template
    .replace(/<script type="module"[^<>]{1,300}><\/script>/g, '')
    .replace(/<link rel="modulepreload"[^<>]{1,300}>/g, '')
    .replace(/<link rel="stylesheet" crossorigin href="\/([^"]{1,200})">/g, (_, file: string) =>
      inlineStyle(file, styles),
    );

/**
 * The style sheets of the page's own chunk, which index.html does not know, and what fetches its scripts.
 * @param chunk a file below src/web, such as 'home/HomePage.tsx'; none when the page is part of the first load
 */
export function headTags(manifest: Manifest, styles: Styles, chunk: string | undefined): string {
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
  const [start = '', ...others] = [...files.js].map((file) => `/${file}`);
  return [
    `<script>${startCode(start, others)}</script>`,
    ...[...files.css].map((file) => inlineStyle(file, styles)),
  ].join('');
}

const startAtLatestMs = 3000; // a picture that never comes, or a page in the background, which is not drawn

/**
 * A page that shows everything without its scripts gets them when all it shows is there and drawn, since on a slow line
 * they would take the time of its pictures; at once, if somebody touches it. A button, or a link that does more than lead somewhere
 * (`data-needs-app`), that is pressed before the app is alive is pressed again then, once. Other links and forms work by
 * themselves. The browser's offer to install the shop is kept for the app.
 */
const startCode = (start: string, others: readonly string[]): string =>
  `(()=>{
let pressed,isStarted;
const follow=()=>{
if(pressed&&pressed.href)location.href=pressed.href};
const begin=()=>{
if(isStarted)return;
isStarted=true;
for(const href of ${JSON.stringify(others)})document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',href}));
import('${start}').catch(follow)};
const press=(event)=>{
const control=event.target.closest('button,a[data-needs-app]');
if(!control||control.form||event.ctrlKey||event.metaKey||event.shiftKey)return;
event.preventDefault();
event.stopImmediatePropagation();
pressed=control};
addEventListener('click',press,true);
addEventListener('${aliveEvent}',()=>{
removeEventListener('click',press,true);
if(pressed&&pressed.isConnected)pressed.click();
else follow()},{once:true});
addEventListener('load',()=>requestAnimationFrame(()=>requestAnimationFrame(()=>setTimeout(begin))));
addEventListener('beforeinstallprompt',(event)=>{
event.preventDefault();
window.${earlyOfferKey}=event},{once:true});
for(const sign of ['pointerdown','keydown'])addEventListener(sign,begin,{once:true,passive:true});
setTimeout(begin,${startAtLatestMs})})()`.replaceAll('\n', '');

/** What loads chunks looks for the link, and does not fetch the styles again where it finds one. */
function inlineStyle(file: string, styles: Styles): string {
  const css = styles[file];
  if (css === undefined) throw new Error(`the built app has no ${file}`);
  return `<style>${css.trim()}</style><link rel="stylesheet" href="/${file}" disabled>`;
}

/**
 * The rules that Emotion collected, as it expects to find them in the browser. They stand last in the head, where it
 * keeps them from then on.
 */
export function styleTags({ key, inserted, registered }: EmotionCache): string {
  const rules = Object.entries(inserted).filter(isRule);
  const isGlobal = ([id]: [string, string]) => registered[`${key}-${id}`] === undefined;
  const forAll = rules.filter(isGlobal).map(([id, css]) => tag(`${key}-global ${id}`, css));
  const own = rules.filter((rule) => !isGlobal(rule));
  if (own.length === 0) return forAll.join(''); // a page without a part of Chakra's
  return [...forAll, tag(`${key} ${own.map(([id]) => id).join(' ')}`, own.map(([, css]) => css).join(''))].join('');
}

/** The provider's own global rules are in the style sheet: what is left of them here is empty. */
const isRule = (rule: [string, unknown]): rule is [string, string] => typeof rule[1] === 'string' && rule[1] !== '';

const tag = (name: string, css: string) => `<style data-emotion="${name}" data-s="">${css}</style>`;

/** @param blocks the inline scripts or styles */
export async function hashesOf(blocks: readonly { content: string }[]): Promise<string[]> {
  return Promise.all(blocks.map(({ content }) => hashOf(content)));
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
