/** Requests and reads pages in tests. */
import type { FastifyInstance } from 'fastify';

export const nobody = '00000000-0000-4000-8000-000000000000';
export const productPage = (id: string) => `/customer/view/product/${id}`;

/** @returns a function that requests pages from the app as a browser does */
export const reader =
  (app: FastifyInstance) =>
  async (url: string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ url, headers: { accept: 'text/html', host: 'localhost:3000', ...headers } });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body, bytes: answer.rawPayload };
  };

/** The first group of every match. */
export const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group = '']) => group);

export const canonicalOf = (html: string) => all(html, /<link rel="canonical" href="([^"]*)"/g);

/** The data blocks, parsed. */
export const dataOf = (html: string) =>
  all(html, /<script type="application\/ld\+json">([^]*?)<\/script>/g).map((json) => JSON.parse(json) as unknown);

export function metaOf(html: string): Record<string, string> {
  const found = [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name = '', content = '']) => [name, content]));
}
