/** Files and pages: the built app's assets, the pictures, and the app's one page for every URL that a page may have. */
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Parts } from '../app';
import { isLoopback } from '../config';
import { pagePolicy } from './headers';
import { notFound, sendProblem } from './problems';

const forever = 'public, max-age=31536000, immutable';

export async function servePages(app: FastifyInstance, { config, webFolder }: Parts): Promise<void> {
  await serveFolder(app, path.join(config.dataDir, 'pictures'), '/pictures/');
  if (webFolder === undefined) {
    app.setNotFoundHandler((request, reply) => sendProblem(request, reply, notFound()));
    return;
  }
  await serveFolder(app, path.join(webFolder, 'assets'), '/assets/');
  await app.register(files, {
    root: webFolder,
    serve: true,
    wildcard: false, // the few files of public/, each a route of its own
    globIgnore: ['index.html', 'assets/**', '.vite/**'],
    index: false,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.setHeader('cache-control', 'no-cache'),
  });
  const page = await readFile(path.join(webFolder, 'index.html'));
  app.setNotFoundHandler((request, reply) => {
    if (!asksForPage(request)) return sendProblem(request, reply, notFound());
    const home = otherLoopbackName(request, config.publicUrl);
    if (home) return reply.redirect(home, 302);
    return sendPage(reply, page);
  });
}

const serveFolder = (app: FastifyInstance, root: string, prefix: string) =>
  app.register(files, {
    root,
    prefix,
    index: false,
    decorateReply: false,
    cacheControl: false,
    immutable: true,
    setHeaders: (reply) => void reply.setHeader('cache-control', forever),
  });

function sendPage(reply: FastifyReply, page: Buffer): FastifyReply {
  return reply
    .code(200)
    .headers({
      'content-security-policy': pagePolicy,
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    })
    .send(page);
}

/**
 * A GET that takes HTML, outside the API and the folders, however those are spelled, whose path does not look like a
 * file's or lead into a hidden folder.
 */
function asksForPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const pathname = decodeURIComponent(url.split('?', 1)[0] ?? ''); // the router has refused what cannot be decoded
  if (/^\/+(?:api|assets|pictures)(?:[/;]|$)/i.test(pathname) || /\/\.|[.;][^/]*$/.test(pathname)) return false;
  return headers.accept === undefined || /text\/html|\*\/\*/.test(headers.accept.slice(0, 500));
}

/**
 * While the shop is at one loopback name, a page asked for under another is sent there: a login belongs to one name.
 * @returns the address to go to, or undefined when the name is right
 */
function otherLoopbackName(request: FastifyRequest, publicUrl: URL): string | undefined {
  const address = `http://${request.headers.host ?? ''}`;
  const asked = URL.canParse(address) ? new URL(address) : publicUrl;
  if (asked.hostname === publicUrl.hostname) return undefined;
  if (!isLoopback(asked.hostname) || !isLoopback(publicUrl.hostname)) return undefined;
  // the path alone: '//evil.test' must not become an address of its own
  return `${publicUrl.origin}/${request.url.replace(/^\/+/, '')}`;
}
