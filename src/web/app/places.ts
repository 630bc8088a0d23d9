import type { Place } from '../../shared/rendering';
import type { Shop } from './shop';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Drawn by the server, for everybody alike. */
    isPublic?: true;
    /** The file that a public page is loaded from, below src/web; none when it is part of the first load. */
    chunk?: string;
  }
}

/** @returns what tells where an address leads, by the routes themselves */
export function createLocate(router: Shop['router']): (url: string) => Place {
  const areas = new Set(Object.keys(router.routesByPath).flatMap(areasOf));

  function routeAt(path: string) {
    const [, params, route] = router.getMatchedRoutes(path);
    const isWhole = route !== undefined && params['**'] === undefined && !path.includes('//'); // the router takes a part, too
    return isWhole ? { params, route } : undefined;
  }

  /** The frame of a page marks by the path where one is, and does so where there is nothing, too. */
  function notFoundUrlOf(path: string): string {
    const urls = areasOf(path.toLowerCase())
      .filter((area) => areas.has(area))
      .map((area) => `${area}no/such/page`);
    return urls.findLast((url) => !routeAt(url)) ?? '/no/such/page';
  }

  return (url) => {
    const [path = '/', query = ''] = url.split(/\?([^]*)/, 2);
    const notFoundUrl = notFoundUrlOf(path);
    const found = routeAt(path);
    if (!found) return { kind: 'nowhere', url: notFoundUrl, notFoundUrl };
    const { params, route } = found;
    if (!route.options.staticData?.isPublic) return { kind: 'private', url: path, notFoundUrl };
    const check = route.options.validateSearch as ((search: Record<string, unknown>) => object) | undefined;
    const search = check?.(router.options.parseSearch(query)) ?? {};
    const { href } = router.buildLocation({ to: route.fullPath, params, search } as never);
    // a page of its own address knows best where it is
    return { kind: 'public', url: href, notFoundUrl: Object.keys(params).length === 0 ? href : notFoundUrl };
  };
}

/** @returns '/', '/products/' for '/products/$category' */
function areasOf(path: string): string[] {
  const fixed = path.replace(/\$.*/, '').split('/').slice(1, -1);
  return ['/', ...fixed.map((_, index) => `/${fixed.slice(0, index + 1).join('/')}/`)];
}
