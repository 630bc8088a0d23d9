/**
 * The one place that leans on what TanStack Router does not document: its rendering inside a server, and how it matches a
 * path. tests/web/app/routerInside.test.ts holds what is relied on, so that an upgrade breaks there first. In the browser
 * main.tsx takes over with the library's own `RouterClient`.
 */
import {
  type AnyRouter,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
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

export type DrawnRouter = {
  html: string;
  /** Code that the router wrote into `html` itself, the same for every page. */
  inside: string[];
  /** Code that the router needs to take the page over in the browser; the page's data in it is escaped. */
  scripts: string[];
};

/** @param wrap puts the page into what it needs around it */
export async function renderRouter(router: AnyRouter, wrap: (page: ReactNode) => ReactNode): Promise<DrawnRouter> {
  await router.serverSsr?.dehydrate();
  const html = renderToString(wrap(<RouterServer router={router} />));
  router.serverSsr?.setRenderFinished();
  const { before = [] } = router.serverSsr?.takeInitialHydrationScriptTags() ?? {};
  const own = await (ownScript ??= findOwnScript());
  const inside = html.includes(`<script>${own}</script>`) ? [own] : [];
  return { html, inside, scripts: before.map(({ children = '' }) => children) };
}

let ownScript: Promise<string> | undefined;

/** Puts the scroll position back. Found in a page that has nothing of anybody's in it. */
async function findOwnScript(): Promise<string> {
  const root = createRootRoute();
  const routeTree = root.addChildren([createRoute({ getParentRoute: () => root, path: '/' })]);
  const router = createRouter({ routeTree, history: createMemoryHistory(), scrollRestoration: true });
  attachToServer(router, 'http://localhost');
  await router.load();
  const html = renderToString(<RouterServer router={router} />);
  detachFromServer(router);
  const begin = html.indexOf('<script>') + '<script>'.length;
  return html.slice(begin, html.indexOf('</script>', begin));
}

export function detachFromServer(router: AnyRouter): void {
  router.serverSsr?.cleanup();
}

/** @returns the route of a path, how to read a query and how to spell its address; undefined when nothing is there */
export function matchPath(router: AnyRouter, path: string) {
  const [, params, route] = router.getMatchedRoutes(path);
  const isWhole = route !== undefined && params['**'] === undefined && !path.includes('//'); // the router takes a part, too
  if (!isWhole) return undefined;
  const { validateSearch } = route.options;
  return {
    path: route.fullPath,
    hasParams: Object.keys(params).length > 0,
    /** The parameters that the page knows. */
    read: (query: string): Record<string, unknown> =>
      typeof validateSearch === 'function' ? validateSearch(router.options.parseSearch(query)) : {},
    spell: (search: Record<string, unknown>): string => {
      const place = { to: route.fullPath, params, search };
      return router.buildLocation(place as never).href; // typed for paths that are known when this is built
    },
  };
}
