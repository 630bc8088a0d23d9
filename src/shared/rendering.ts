/**
 * The interface between src/web/renderPage.tsx (a bundle of its own, dist/render), which draws public pages as HTML,
 * and src/server/http/pages/pages.ts, which caches and sends them.
 */
import type { ProblemCode } from './contract';

/** What a URL leads to, by the app's route table. */
export interface Place {
  /** 'public': drawn by the server; 'private': drawn by the browser alone; 'nowhere': there is no such page. */
  kind: 'public' | 'private' | 'nowhere';
  /** The canonical URL: path, and the search parameters that the page knows, in one order. */
  url: string;
  /** The URL under which the page 'not found' is drawn. */
  notFoundUrl: string;
  /** What a filtered list asks for by name. */
  filter?: { origin?: string[] | undefined; allergens?: string[] | undefined } | undefined;
}

export interface RenderedPage {
  status: number;
  html: string;
  /** Sources for script-src and style-src: a hash for each inline block that the rendering wrote, whatever `html` holds. */
  scriptHashes: readonly string[];
  styleHashes: readonly string[];
}

/** A form sent without JavaScript, and its errors: the page is drawn again with both. */
export interface SentForm {
  /** Where it was sent to: the page's own path. */
  path: string;
  /** Without passwords and codes. */
  values: Readonly<Record<string, string>>;
  errors: readonly { field: string; message: string }[];
  /** The reason of the refusal, when no field is wrong. */
  failure?: string | undefined;
  /** The refusal's code, as a call has it. */
  code: ProblemCode;
}
/** The query key under which the page finds the form. */
export const sentFormKey = ['sent-form'];

export interface Rendering {
  /** @param url path and query, as a browser sends them */
  locate: (url: string) => Place;
  /**
   * Draws the page at the `url` of a public place.
   * @param sent a form that was sent from the page; the result is for its sender alone and is not cached
   * @returns undefined when the page's subject (a product, a category) does not exist
   * @throws the error of reading its data
   */
  draw: (url: string, sent?: SentForm) => Promise<RenderedPage | undefined>;
  /** @param url the `notFoundUrl` of a place */
  renderNotFound: (url: string) => Promise<RenderedPage>;
  /** The shell: the page of every private place, without content. */
  shell: string;
  /** The shell with the shop's name and contact data. @throws the error of reading them */
  renderShell: () => Promise<string>;
  /** Every public page that search engines are to know, as sitemap.xml has it. */
  renderSitemap: () => Promise<string>;
  /** What robots.txt says: which pages are private, and where the sitemap is. */
  robots: string;
}

/** Vite's list of the built files, by their paths in src/web. */
export type Manifest = Record<
  string,
  { file: string; imports?: readonly string[]; css?: readonly string[]; assets?: readonly string[] }
>;

export interface RenderingParts {
  /** The built index.html, with the gaps `<!--head-->`, `<!--app-->` and `<!--data-->`. */
  template: string;
  manifest: Manifest;
  /** The style sheets of the app, by the names that the manifest has for them. */
  styles: Readonly<Record<string, string>>;
  /** The origin of the shop's public URL, without a slash at the end. */
  origin: string;
  /** Asks the API on behalf of a visitor. @param url begins with /api */
  fetch: (url: string) => Promise<{ status: number; contentType: string; body: string }>;
}

export type CreateRendering = (parts: RenderingParts) => Rendering;
