/**
 * The one place that leans on what TanStack Router does not document: its rendering inside a server, and how it matches a
 * path. tests/web/app/routerInside.test.ts holds what is relied on, so that an upgrade breaks there first. In the browser
 * main.tsx takes over with the library's own `RouterClient`.
 */
import type { AnyRouter } from '@tanstack/react-router';
import { attachRouterServerSsrUtils, getSsrStatus, RouterServer } from '@tanstack/react-router/ssr/server';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';

/**
 * Before the router loads. Not the library's own request handler: that one spells the commas of a query its own way, and
 * then redirects.
 */
export function attachToServer(router: AnyRouter, origin: string): void {
  router.update({ ...router.options, origin });
  attachRouterServerSsrUtils({ router, manifest: undefined });
}

/** @returns 200 or 404, once the router has loaded. @throws what loading the page threw */
export function statusOf(router: AnyRouter): number {
  const status = router._serverResult?.type === 'render' ? getSsrStatus(router) : 500;
  if (status < 500) return status;
  const failed = router.state.matches.find(({ error }) => error !== undefined);
  throw failed?.error ?? new Error(`the page ${router.state.location.href} leads elsewhere`);
}

/**
 * @param wrap puts the page into what it needs around it
 * @returns the page, and the scripts that the router needs to take it over in the browser
 */
export async function drawRouter(
  router: AnyRouter,
  wrap: (page: ReactNode) => ReactNode,
): Promise<{ html: string; scripts: string }> {
  await router.serverSsr?.dehydrate();
  const html = renderToString(wrap(<RouterServer router={router} />));
  router.serverSsr?.setRenderFinished();
  const { before = [] } = router.serverSsr?.takeInitialHydrationScriptTags() ?? {};
  return { html, scripts: before.map(({ children = '' }) => `<script>${children}</script>`).join('') };
}

export function detachFromServer(router: AnyRouter): void {
  router.serverSsr?.cleanup();
}

/** @returns the route of a path, and how to spell its address with a search; undefined when nothing is there */
export function matchPath(router: AnyRouter, path: string) {
  const [, params, route] = router.getMatchedRoutes(path);
  const isWhole = route !== undefined && params['**'] === undefined && !path.includes('//'); // the router takes a part, too
  if (!isWhole) return undefined;
  const { staticData, validateSearch } = route.options;
  return {
    isPublic: staticData?.isPublic === true,
    hasParams: Object.keys(params).length > 0,
    spell: (query: string): string => {
      const search = typeof validateSearch === 'function' ? validateSearch(router.options.parseSearch(query)) : {};
      const place = { to: route.fullPath, params, search };
      return router.buildLocation(place as never).href; // typed for paths that are known when this is built
    },
  };
}
