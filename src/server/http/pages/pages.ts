/**
 * Pages: public ones rendered by the browser app's code and cached, the app shell for private ones, and the files for
 * search engines. The app decides which page belongs to a URL.
 */
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ownPath } from '../../../shared/auth';
import { withSearch } from '../../../shared/authPages';
import { oldAddressOf } from '../../../shared/oldAddresses';
import type { CreateRendering, RenderedPage, Manifest, Place, Rendering, SentForm } from '../../../shared/rendering';
import { isLoopback, type Config } from '../../core/config';
import type { ChangeBus } from '../../db/core/changeBus';
import { isTooManyWaiting } from '../../db/core/errors';
import { describeFailure } from '../../db/core/loggedErrors';
import { accessCookie, refreshCookie } from '../contract/access';
import type { RateLimits } from '../limits/rateLimits';
import { createRenderQueue } from './renderQueue';
import { serveAppFiles, servePictures, serveWorker } from './staticFiles';
import { pagePolicy, providerScripts } from '../core/headers';
import { createResponseCache, type ResponseCache } from '../cache/responseCache';
import { networkOf } from '../core/network';
import { toCached, sendCached, type PlainResponse, type CachedResponse } from '../cache/cachedResponse';
import { type PageForm, takePageForm } from './pageForms';
import { notFound, Problem, sendProblem } from '../core/problems';

type PagesParts = {
  config: Pick<Config, 'publicUrl' | 'dataDir' | 'serviceWorker'>;
  bus: ChangeBus;
  payments: { readonly publishableKey?: string | undefined };
  webFolder: string | undefined;
  /** Files of the app that the features serve, since they show the shop's name or logo. */
  brandFiles: readonly string[];
  logger: FastifyBaseLogger;
  pageForms: readonly PageForm[];
  rateLimits: Pick<RateLimits, 'draw'>;
  /** Whether a list filter names a value that no product has. */
  asksForUnknown: (filter: NonNullable<Place['filter']>) => Promise<boolean>;
  /** @returns where the product at an old address is now, if there is one */
  findMoved: (oldAddress: string) => Promise<string | undefined>;
};

export async function servePages(app: FastifyInstance, parts: PagesParts): Promise<void> {
  const { config, bus, webFolder, rateLimits } = parts;
  await servePictures(app, config.dataDir);
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, notFound()));
  if (webFolder === undefined) return;
  await serveAppFiles(app, webFolder, parts.brandFiles);
  await serveWorker(app, webFolder, config.serviceWorker);
  const rendering = await openRendering(app, webFolder, config.publicUrl.origin);
  const cache = createResponseCache<PlainResponse | undefined>(bus, {
    quantities: 'upTo10',
    showsSettings: true,
    maxEntries: 500,
    maxBytes: 48 * 1024 * 1024,
  });
  serveForCrawlers(app, rendering, cache);
  const inTurn = createRenderQueue();
  const renderForm = async ({ ip }: FastifyRequest, url: string, sent: SentForm) =>
    publicPage(await inTurn(networkOf(ip), () => rendering.draw(url, sent)));
  for (const form of parts.pageForms)
    await takePageForm(app, form, { draw: renderForm, locate: rendering.locate, rateLimits });

  const findShell = await createShellFinder(rendering, cache, bus, parts.payments.publishableKey);
  const shells = {
    findShell,
    broken: toCached(shellPage(503, rendering.shell)),
    refused: toCached(withHeaders(shellPage(429, rendering.shell), { 'retry-after': '5' })),
  };
  const find = createFinder({ ...parts, rendering, cache, shells });
  app.get('/*', async (request, reply) => {
    if (!asksForPage(request)) return sendProblem(request, reply, notFound());
    const home = otherLoopbackName(request, config.publicUrl);
    if (home) return reply.redirect(home, 302);
    if (isCartOfNobody(request)) return sendToLogin(request, reply);
    const ready = cache.find(request.url);
    if (ready) return sendCached(request, reply, ready);
    const page = await find(request.url, {
      within: (make) => rateLimits.draw(request, make),
      inTurn: (draw) => inTurn(networkOf(request.ip), draw),
    });
    if (page === shells.broken || page === shells.refused) await app.untilErrorMayGo(request, reply);
    return sendCached(request, reply, page);
  });
}

/** The page renderer is a separate bundle beside the app. */
async function openRendering(app: FastifyInstance, webFolder: string, origin: string): Promise<Rendering> {
  const bundle = path.join(webFolder, '../render/renderPage.js');
  const { createRendering } = (await import(pathToFileURL(bundle).href)) as { createRendering: CreateRendering };
  const read = (file: string) => readFile(path.join(webFolder, file), 'utf8');
  const manifest = JSON.parse(await read('.vite/manifest.json')) as Manifest;
  const styleSheets = new Set(Object.values(manifest).flatMap(({ css = [] }) => css));
  const rendering = createRendering({
    template: await read('index.html'),
    manifest,
    styles: Object.fromEntries(await Promise.all([...styleSheets].map(async (file) => [file, await read(file)]))),
    origin,
    fetch: fetchFromOurselves,
  });
  const here = <Args extends unknown[], Result>(draw: (...args: Args) => Result) => {
    return (...args: Args) => renderingApp.run(app, draw, ...args);
  };
  return {
    ...rendering,
    draw: here(rendering.draw),
    renderShell: here(rendering.renderShell),
    renderNotFound: here(rendering.renderNotFound),
    renderSitemap: here(rendering.renderSitemap),
  };
}

/** The bundle is loaded once with one fetch function. This tells apart the apps of a process with several (tests). */
const renderingApp = new AsyncLocalStorage<FastifyInstance>();

async function fetchFromOurselves(url: string) {
  const app = renderingApp.getStore();
  if (!app) throw new Error(`${url} was fetched outside of a render`);
  const { statusCode, headers, body } = await app.inject({ method: 'GET', url });
  return { status: statusCode, contentType: String(headers['content-type'] ?? ''), body };
}

/**
 * Private pages get the app shell with the shop's settings, or without them if the database is unreachable. Only the
 * checkout may load the payment provider's script.
 */
async function createShellFinder(
  rendering: Rendering,
  cache: ResponseCache<PlainResponse | undefined>,
  bus: ChangeBus,
  publishableKey?: string,
) {
  const scripts = { shell: [], checkout: publishableKey ? [providerScripts] : [] };
  const bare = {
    shell: toCached(shellPage(200, rendering.shell)),
    checkout: toCached(shellPage(200, rendering.shell, scripts.checkout)),
  };
  return async (asked: string): Promise<CachedResponse> => {
    const name = /^\/checkout\/?(?:\?|$)/.test(asked) ? 'checkout' : 'shell';
    const draw = async () => {
      const { html: body, styleHashes } = await rendering.renderShell();
      return shellPage(200, body, scripts[name], styleHashes);
    };
    const page = bus.connected ? await cache.get(name, draw).catch(() => undefined) : undefined;
    return page ?? bare[name];
  };
}

type Shells = {
  findShell: (asked: string) => Promise<CachedResponse>;
  broken: CachedResponse;
  refused: CachedResponse;
};
type Draw = <T>(make: () => Promise<T>) => Promise<T>;
type Requester = {
  /** Builds an uncached page within the caller's rate limit. */
  within: Draw;
  /** Renders when it is the caller's turn. */
  inTurn: Draw;
};
type FinderParts = Pick<PagesParts, 'logger' | 'asksForUnknown' | 'findMoved'> & {
  rendering: Rendering;
  cache: ResponseCache<PlainResponse | undefined>;
  shells: Shells;
};

/** @returns a function that finds the page for a URL that is not cached in this exact spelling */
function createFinder({ rendering, cache, logger, shells, asksForUnknown, findMoved }: FinderParts) {
  const { findShell, broken, refused } = shells;
  return async function find(asked: string, { within, inTurn }: Requester): Promise<CachedResponse> {
    const page = async (url: string, draw: () => Promise<RenderedPage | undefined>) =>
      cache.find(url) ?? (await within(() => cache.get(url, async () => publicPage(await inTurn(draw)))));
    /** A redirect for good. It is only looked for where the shop has no page. */
    const redirect = async () => {
      const path = oldAddressOf(asked);
      if (path === undefined) return undefined;
      const key = `moved ${path}`;
      return cache.find(key) ?? (await within(() => cache.get(key, async () => movedTo(await findMoved(path)))));
    };
    try {
      const { kind, url, notFoundUrl, filter } = rendering.locate(asked);
      if (kind === 'private') return await findShell(asked);
      // the app in the browser shows that nothing was found
      if (filter && (await asksForUnknown(filter))) return await within(() => findShell(asked));
      const found = kind === 'public' ? await page(url, () => rendering.draw(url)) : undefined;
      const answer = found ?? (await redirect());
      return answer ?? (await page(notFoundUrl, () => rendering.renderNotFound(notFoundUrl))) ?? broken;
    } catch (error) {
      const isTooMuch = isTooManyWaiting(error) || (error instanceof Problem && error.status === 429);
      if (isTooMuch) return refused; // the app continues in the browser
      logger.error({ failure: describeFailure(error) }, "a page couldn't be rendered");
      return broken; // the app retries in the browser and shows what failed
    }
  };
}

const publicPage = (drawn: RenderedPage | undefined): PlainResponse | undefined =>
  drawn && {
    status: drawn.status,
    body: drawn.html,
    headers: {
      ...html,
      'content-security-policy': pagePolicy(drawn.scriptHashes, drawn.styleHashes),
      ...(drawn.location && { location: drawn.location }),
    },
  };

const movedTo = (location: string | undefined): PlainResponse | undefined =>
  location === undefined
    ? undefined
    : { status: 301, body: location, headers: { 'content-type': 'text/plain; charset=utf-8', location } };

const html = { 'content-type': 'text/html; charset=utf-8' };

const shellPage = (
  status: number,
  body: string,
  scripts: readonly string[] = [],
  styleHashes: readonly string[] = [],
): PlainResponse => ({
  status,
  body,
  headers: { ...html, 'content-security-policy': pagePolicy(scripts, styleHashes), 'x-robots-tag': 'noindex' },
});

const withHeaders = (page: PlainResponse, headers: Record<string, string>): PlainResponse => ({
  ...page,
  headers: { ...page.headers, ...headers },
});

function serveForCrawlers(
  app: FastifyInstance,
  rendering: Rendering,
  cache: ResponseCache<PlainResponse | undefined>,
): void {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(rendering.robots),
  );
  app.get('/sitemap.xml', async (request, reply) => {
    const headers = { 'content-type': 'application/xml; charset=utf-8' };
    const draw = async () => ({ status: 200, body: await rendering.renderSitemap(), headers });
    const page = await cache.get('/sitemap.xml', draw);
    return page ? sendCached(request, reply, page) : sendProblem(request, reply, notFound());
  });
}

/**
 * Whether this is a GET that accepts HTML, outside of the API and the file folders in any spelling. A path that looks like
 * a file or leads into a hidden folder must accept `text/html` explicitly, as browser navigation does and requests for
 * scripts and pictures do not.
 */
function asksForPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const pathname = decodeURIComponent(url.split('?', 1)[0] ?? ''); // the router has rejected malformed encodings
  if (/^\/+(?:api|assets|pictures)(?:[/;]|$)/i.test(pathname)) return false;
  const accept = headers.accept?.slice(0, 500) ?? '*/*';
  if (accept.includes('text/html')) return true;
  const isLikeFile = pathname.includes('/.') || /[.;]/.test(pathname.slice(pathname.lastIndexOf('/') + 1));
  return accept.includes('*/*') && !isLikeFile;
}

/**
 * The router rejects a path that cannot be decoded, such as `/products/%E0%A4%A`, before any page lookup. The app could
 * not decode it either, so a browser is redirected to the same path with its percent signs encoded.
 * @returns the URL of a not-found page; undefined for any other error
 */
export function readableAddress({ method, url, headers }: FastifyRequest, { code }: FastifyError): string | undefined {
  const isForPage = method === 'GET' && headers.accept?.includes('text/html') && !/^\/+api/i.test(url);
  if (code !== 'FST_ERR_BAD_URL' || !isForPage) return undefined;
  const [path = '', ...query] = url.split('?');
  return ownPath([path.replaceAll('%', '%25'), ...query].join('?'));
}

const hasSessionCookie = ({ headers: { cookie = '' } }: FastifyRequest): boolean =>
  cookie.split(';').some((pair) => {
    const [name, value] = pair.trim().split('=', 2);
    return Boolean(value) && (name === accessCookie || name === refreshCookie);
  });

/** Whether a visitor without a session cookie requests the cart. The app itself handles an ended session. */
const isCartOfNobody = (request: FastifyRequest): boolean =>
  /^\/cart\/?(?:\?|$)/i.test(request.url) && !hasSessionCookie(request);

const sendToLogin = ({ url }: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .header('cache-control', 'no-store') // depends on the cookies
    .redirect(withSearch('/login', { redirect: ownPath(url) }), 302);

/**
 * A shop on a loopback name redirects pages requested under another one, since cookies belong to one host name.
 * @returns the URL to redirect to, or undefined when the name is right
 */
function otherLoopbackName(request: FastifyRequest, publicUrl: URL): string | undefined {
  if (request.headers.host === publicUrl.host) return undefined;
  const address = `http://${request.headers.host ?? ''}`;
  const asked = URL.canParse(address) ? new URL(address) : publicUrl;
  if (asked.hostname === publicUrl.hostname) return undefined;
  if (!isLoopback(asked.hostname) || !isLoopback(publicUrl.hostname)) return undefined;
  // strips leading slashes: '//evil.test' must not become another host
  return `${publicUrl.origin}/${request.url.replace(/^\/+/, '')}`;
}
