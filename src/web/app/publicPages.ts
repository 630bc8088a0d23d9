import type { Shop } from './shop';

type Path = keyof Shop['router']['routesByPath'];
interface PublicPage {
  /** The page's source file below src/web; none when it is part of the first load. */
  chunk?: string;
}

/**
 * The pages that the server renders, the same for everyone. Not part of the routes, because the browser doesn't need
 * it.
 */
const publicPages: { [Each in Path]?: PublicPage } = {
  '/': { chunk: 'home/HomePage.tsx' },
  '/products/$category': {},
  '/customer/view/product/$id': { chunk: 'catalog/pages/ProductPage.tsx' },
  '/p/$slug': { chunk: 'catalog/pages/ProductPage.tsx' },
  '/search': { chunk: 'search/SearchPage.tsx' },
  '/contact': { chunk: 'contact/ContactPage.tsx' },
  '/pages/$slug': { chunk: 'pages/ownPages.ts' },
  '/thankyoupage': { chunk: 'contact/ThankYouPage.tsx' },
  '/login': { chunk: 'auth/LoginPage.tsx' },
  '/register': { chunk: 'auth/RegisterPage.tsx' },
  '/forgot-password': { chunk: 'auth/linkPages.ts' },
};

/** @param path a route path, such as '/products/$category' @returns undefined for private pages */
export const findPublicPage = (path: string): PublicPage | undefined =>
  (publicPages as Record<string, PublicPage | undefined>)[path];
