/**
 * The only file that uses undocumented parts of TanStack Router: server rendering and path matching.
 * tests/web/app/routerInside.test.ts covers what we rely on, so that an incompatible upgrade fails there first. In the
 * browser, main.tsx hydrates with the library's own `RouterClient`.
 */
import {
  type AnyRouter,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { attachRouterServerSsrUtils, getSsrStatus, RouterServer } from '@tanstack/react-router/ssr/server';
import { renderToString } from 'react-dom/server';

/**
 * Call before the router loads. We don't use the library's request handler: it encodes commas in queries differently
 * and then redirects.
 */
export function attachToServer(router: AnyRouter, origin: string): void {
  router.update({ ...router.options, origin });
  attachRouterServerSsrUtils({ router, manifest: undefined });
}

/** @returns where the loaded page leads instead, and the status that says so; undefined if it is the page itself */
export function redirectOf(router: AnyRouter): { status: number; location: string } | undefined {
  const result = router._serverResult;
  if (result?.type !== 'redirect') return undefined;
  const { status, headers } = result.redirect;
  return { status, location: headers.get('Location') ?? '/' };
}

/** @returns 200 or 404, once the router has loaded. @throws the error from loading the page */
export function statusOf(router: AnyRouter): number {
  const status = router._serverResult?.type === 'render' ? getSsrStatus(router) : 500;
  if (status < 500) return status;
  const failed = router.state.matches.find(({ error }) => error !== undefined);
  throw failed?.error ?? new Error(`the page ${router.state.location.href} leads elsewhere`);
}

export type RenderedRouter = {
  html: string;
  /** Scripts that the router wrote into `html`, the same for every page. */
  inside: string[];
  /** Scripts that the router needs for hydration; the page's data in them is escaped. */
  scripts: string[];
};

export async function renderRouter(router: AnyRouter): Promise<RenderedRouter> {
  await router.serverSsr?.dehydrate();
  const html = renderToString(<RouterServer router={router} />);
  router.serverSsr?.setRenderFinished();
  const { before = [] } = router.serverSsr?.takeInitialHydrationScriptTags() ?? {};
  const own = await (ownScript ??= findOwnScript());
  const inside = html.includes(`<script>${own}</script>`) ? [own] : [];
  return { html, inside, scripts: before.map(({ children = '' }) => children) };
}

let ownScript: Promise<string> | undefined;

/** The router's scroll restoration script. Extracted from an empty page, so it can't contain user data. */
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

/**
 * @returns the route of a path, with functions to parse its query and build its URL; undefined when no route matches
 */
export function matchPath(router: AnyRouter, path: string) {
  const [, params, route] = router.getMatchedRoutes(path);
  const isWholePath = route !== undefined && params['**'] === undefined && !path.includes('//'); // also matches prefixes
  if (!isWholePath) return undefined;
  const { validateSearch } = route.options;
  return {
    path: route.fullPath,
    hasParams: Object.keys(params).length > 0,
    /** The parameters that the page accepts. */
    read: (query: string): Record<string, unknown> =>
      typeof validateSearch === 'function' ? validateSearch(router.options.parseSearch(query)) : {},
    buildUrl: (search: Record<string, unknown>): string => {
      const target = { to: route.fullPath, params, search };
      return router.buildLocation(target as never).href; // its type allows only paths known at compile time
    },
  };
}
