/**
 * What src/web/renderPage.tsx (a bundle of its own, dist/render) and src/server/http/pages.ts know of each other: the
 * first draws public pages, the second keeps and sends them.
 */

/** Where an address leads, as the app's own route table says. */
export interface Place {
  /** 'public': drawn by the server; 'private': drawn by the browser alone; 'nowhere': there is no such page. */
  kind: 'public' | 'private' | 'nowhere';
  /** The page's one spelling: path, and what the page knows of the query, in one order. */
  url: string;
  /** The address under which the page is drawn that says that nothing is at `url`. */
  notFoundUrl: string;
}

export interface DrawnPage {
  status: number;
  html: string;
  /** Sources for script-src and style-src: a hash for each inline block of `html`. */
  scriptHashes: readonly string[];
  styleHashes: readonly string[];
}

/** What a form sent without JavaScript, and what is wrong with it: its page is drawn again with both. */
export interface SentForm {
  values: Readonly<Record<string, string>>;
  errors: readonly { field: string; message: string }[];
  /** Why it could not be done, where nothing is wrong with the fields. */
  failure?: string | undefined;
}
/** Where the page finds it among its answers. */
export const sentFormKey = ['sent-form'];

export interface Rendering {
  /** @param url path and query, as a browser sends them */
  locate: (url: string) => Place;
  /**
   * Draws the page at the `url` of a public place.
   * @param sent of a form on it; such a page belongs to its reader and is not kept
   * @returns undefined when what it is about does not exist
   * @throws what reading its data threw
   */
  draw: (url: string, sent?: SentForm) => Promise<DrawnPage | undefined>;
  /** @param url the `notFoundUrl` of a place */
  drawNotFound: (url: string) => Promise<DrawnPage>;
  /** The page of every private place: the app without its content. */
  shell: string;
  /** The same with what all pages say of the shop. @throws what reading that threw */
  drawShell: () => Promise<string>;
  /** Every public page that search engines are to know, as sitemap.xml has it. */
  drawSitemap: () => Promise<string>;
  /** What robots.txt says: which pages are private, and where the sitemap is. */
  robots: string;
}

/** A file of the browser app, by its place in src/web; written by Vite. */
export type Manifest = Record<
  string,
  { file: string; imports?: readonly string[]; css?: readonly string[]; assets?: readonly string[] }
>;

export interface RenderingParts {
  /** The built index.html: what stands there as `<!--head-->`, `<!--app-->` and `<!--data-->` is filled in. */
  template: string;
  manifest: Manifest;
  /** The style sheets of the app, by the names that the manifest has for them. */
  styles: Readonly<Record<string, string>>;
  /** Of the shop's public address, without a slash at its end. */
  origin: string;
  /** Asks the API on behalf of a visitor. @param url begins with /api */
  fetch: (url: string) => Promise<{ status: number; contentType: string; body: string }>;
}

export type CreateRendering = (parts: RenderingParts) => Rendering;
