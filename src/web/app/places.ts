import type { ListSearch } from '../catalog/core/listSearch';
import type { Place } from '../../shared/rendering';
import { findPublicPage } from './publicPages';
import { matchPath } from './routerInside';
import type { Shop } from './shop';

/** @returns a function that resolves a URL by the app's own routes */
export function createLocate(router: Shop['router']): (url: string) => Place {
  const areas = new Set(Object.keys(router.routesByPath).flatMap(areasOf));

  /** The navigation highlights the current area by URL prefix, also on a 404 page, so each area has its own 404 URL. */
  function notFoundUrlOf(path: string): string {
    const urls = areasOf(path.toLowerCase())
      .filter((area) => areas.has(area))
      .map((area) => `${area}no/such/page`);
    return urls.findLast((url) => !matchPath(router, url)) ?? '/no/such/page';
  }

  return (url) => {
    const [path = '/', query = ''] = url.split(/\?([^]*)/, 2);
    const notFoundUrl = notFoundUrlOf(path);
    const match = matchPath(router, path);
    if (!match) return { kind: 'nowhere', url: notFoundUrl, notFoundUrl };
    if (!findPublicPage(match.path)) return { kind: 'private', url: path, notFoundUrl };
    const search = match.read(query);
    const canonicalUrl = match.buildUrl(search);
    const { origin, allergens, inStock } = match.path === '/products/$category' ? (search as ListSearch) : {};
    // any sale could change the page, so it can't be cached
    if (inStock) return { kind: 'private', url: canonicalUrl, notFoundUrl };
    const filter = (origin ?? allergens) ? { origin, allergens } : undefined;
    // a route without parameters renders "not found" at its own URL
    return { kind: 'public', url: canonicalUrl, notFoundUrl: match.hasParams ? notFoundUrl : canonicalUrl, filter };
  };
}

/** @returns '/', '/products/' for '/products/$category' */
function areasOf(path: string): string[] {
  const fixed = path.replace(/\$.*/, '').split('/').slice(1, -1);
  return ['/', ...fixed.map((_, index) => `/${fixed.slice(0, index + 1).join('/')}/`)];
}
