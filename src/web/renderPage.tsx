/**
 * Renders public pages on the server from the same routes and components that hydrate them in the browser. A page
 * depends only on its URL and the catalog: it is rendered for a visitor, and session data appears in the browser.
 */
import type { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { shopName } from '../shared/brand';
import { paletteStyles } from '../shared/brandPalettes';
import {
  type CreateRendering,
  type RenderedPage,
  type RenderingParts,
  type SentForm,
  type Shell,
  sentFormKey,
} from '../shared/rendering';
import { replaceNetwork } from './server/send';
import { createInlineCode, type InlineCode } from './app/inlineCode';
import { fontLinks, headTags, leadingHead, lightenFirstLoad, withoutTitle } from './app/pageTags';
import { writePageData } from './app/pageData';
import { createLocate } from './app/places';
import { attachToServer, detachFromServer, renderRouter, matchPath, redirectOf, statusOf } from './app/routerInside';
import { findPublicPage } from './app/publicPages';
import { createShop, type Shop } from './app/shop';
import { renderSitemap, robotsOf } from './app/sitemap';
import { shopQuery } from './settings/queries';

export const createRendering: CreateRendering = (parts) => {
  const { origin, template, manifest, fetch } = parts;
  replaceNetwork(async (request) => {
    const { status, contentType, body } = await fetch(request.url.slice(new URL(request.url).origin.length));
    return new Response(body, { status, headers: { 'content-type': contentType } });
  });

  /** @param mayBeMissing whether a 404 page is an acceptable result */
  async function renderUrl(url: string, mayBeMissing: boolean, sent?: SentForm): Promise<RenderedPage | undefined> {
    const shop = createShop(createMemoryHistory({ initialEntries: [url] }));
    const { router, queryClient } = shop;
    if (sent) queryClient.setQueryData(sentFormKey, sent);
    attachToServer(router, origin);
    try {
      await Promise.all([queryClient.fetchQuery(shopQuery), router.load()]);
      const moved = redirectOf(router);
      if (moved) return { ...moved, html: '<!doctype html><title>Moved</title>', scriptHashes: [], styleHashes: [] };
      const status = statusOf(router);
      if (status === 404 && !mayBeMissing) return undefined;
      return await renderPage(shop, status, parts);
    } finally {
      detachFromServer(router);
      queryClient.clear();
    }
  }

  const shell = template.replace('<!--head-->', () => fontLinks(manifest));
  async function renderShell(): Promise<Shell> {
    const { queryClient } = createShop(createMemoryHistory());
    await queryClient.fetchQuery(shopQuery);
    const code = createInlineCode([]);
    const html = withPalette(withShopTitle(shell, queryClient), queryClient, code).replace('<!--data-->', () =>
      writePageData(queryClient, false),
    );
    queryClient.clear();
    return { html, styleHashes: (await code.hashes()).styleHashes };
  }

  const { router } = createShop(createMemoryHistory());
  return {
    locate: createLocate(router),
    draw: (url, sent) => renderUrl(url, false, sent),
    renderNotFound: async (url) => {
      const page = await renderUrl(url, true);
      if (!page) throw new Error(`nothing was rendered at ${url}`);
      return page;
    },
    shell,
    renderShell,
    renderSitemap: () => renderSitemap(router, origin),
    robots: robotsOf(router, origin),
  };
};

/** With the shop's colors, unless they are the initial ones. */
function withPalette(html: string, cache: QueryClient, code: InlineCode): string {
  const palette = cache.getQueryData(shopQuery.queryKey)?.palette;
  if (!palette) return html;
  return html
    .replace('<html lang="en"', `<html lang="en" data-palette="${palette}"`)
    .replace('</head>', () => `${code.style(paletteStyles(palette))}</head>`);
}

/** Until the app in the browser knows the page's title. */
function withShopTitle(html: string, cache: QueryClient): string {
  const { name = shopName } = cache.getQueryData(shopQuery.queryKey) ?? {};
  if (name === shopName) return html;
  const title = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return withoutTitle(html).replace('</head>', () => `<title>${title}</title></head>`);
}

async function renderPage({ router, queryClient }: Shop, status: number, parts: RenderingParts): Promise<RenderedPage> {
  const { template, manifest, styles } = parts;
  const rendered = await renderRouter(router);
  const head = leadingHead(rendered.html);
  const chunk = findPublicPage(matchPath(router, router.state.location.pathname)?.path ?? '')?.chunk;
  const code = createInlineCode(rendered.inside);
  const html = withPalette(withoutTitle(lightenFirstLoad(template, styles, code)), queryClient, code)
    .replace('<!--head-->', () => head + fontLinks(manifest))
    .replace('</head>', () => `${headTags(parts, chunk, code)}</head>`)
    .replace('<!--app-->', () => rendered.html.slice(head.length))
    .replace('<!--data-->', () => writePageData(queryClient) + rendered.scripts.map(code.script).join(''));
  return { status, html, ...(await code.hashes()) };
}
