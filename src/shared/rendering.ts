/**
 * The interface between src/web/renderPage.tsx (a bundle of its own, dist/render), which renders public pages as HTML,
 * and src/server/http/pages/pages.ts, which caches and sends them.
 */
import type { ProblemCode } from './contract';

/** The route that a URL resolves to. */
export interface Place {
  /** 'public': rendered by the server; 'private': rendered only by the browser; 'nowhere': no such page. */
  kind: 'public' | 'private' | 'nowhere';
  /** The canonical URL: path and the page's known search parameters, in a fixed order. */
  url: string;
  /** The URL for rendering the page 'not found'. */
  notFoundUrl: string;
  /** The values that a filtered list is filtered by. */
  filter?: { origin?: string[] | undefined; allergens?: string[] | undefined } | undefined;
}

export interface RenderedPage {
  status: number;
  /** Where the page is instead, with a status of 301. */
  location?: string;
  html: string;
  /**
   * CSP sources for script-src and style-src: hashes of the inline blocks that the renderer wrote, not of others in
   * `html`.
   */
  scriptHashes: readonly string[];
  styleHashes: readonly string[];
}

/** A form sent without JavaScript, and its errors: the page is rendered again with both. */
export interface SentForm {
  /** The path it was sent to, which is the page's own path. */
  path: string;
  /** Without passwords and codes. */
  values: Readonly<Record<string, string>>;
  errors: readonly { field: string; message: string }[];
  /** The reason for the rejection, when no field is wrong. */
  failure?: string | undefined;
  /** The error code, as in an API response. */
  code: ProblemCode;
}
/** The query key of the sent form in the page's query cache. */
export const sentFormKey = ['sent-form'];

/** `styleHashes` are as those of a page. */
export type Shell = Pick<RenderedPage, 'html' | 'styleHashes'>;

export interface Rendering {
  /** @param url path and query, as sent by a browser */
  locate: (url: string) => Place;
  /**
   * Renders the page at the `url` of a public place.
   * @param sent a form sent from the page; the result is for its sender only and is not cached
   * @returns undefined when the page's subject (a product, a category) does not exist
   * @throws the error from reading its data
   */
  draw: (url: string, sent?: SentForm) => Promise<RenderedPage | undefined>;
  /** @param url the `notFoundUrl` of a place */
  renderNotFound: (url: string) => Promise<RenderedPage>;
  /** The shell: the page without content that serves every private place. */
  shell: string;
  /** The shell with the shop's name, contact data, and colors. @throws the error from reading them */
  renderShell: () => Promise<Shell>;
  /** sitemap.xml: every public page that search engines should index. */
  renderSitemap: () => Promise<string>;
  /** robots.txt: the private paths and the URL of the sitemap. */
  robots: string;
}

/** Vite's manifest of the built files, by their paths in src/web. */
export type Manifest = Record<
  string,
  { file: string; imports?: readonly string[]; css?: readonly string[]; assets?: readonly string[] }
>;

export interface RenderingParts {
  /** The built index.html, with the placeholders `<!--head-->`, `<!--app-->` and `<!--data-->`. */
  template: string;
  manifest: Manifest;
  /** The app's style sheets, by their names in the manifest. */
  styles: Readonly<Record<string, string>>;
  /** The origin of the shop's public URL, without a trailing slash. */
  origin: string;
  /** Calls the API as a visitor. @param url starts with /api */
  fetch: (url: string) => Promise<{ status: number; contentType: string; body: string }>;
}

export type CreateRendering = (parts: RenderingParts) => Rendering;
