import type { Shop } from './shop';

type Path = keyof Shop['router']['routesByPath'];
interface PublicPage {
  /** The file that the page is loaded from, below src/web; none when it is part of the first load. */
  chunk?: string;
}

/** The pages that the server draws, for everybody alike. Apart from the routes: the browser need not know. */
const publicPages: { [Each in Path]?: PublicPage } = {
  '/': { chunk: 'home/HomePage.tsx' },
  '/products/$category': {},
  '/customer/view/product/$id': { chunk: 'products/ProductPage.tsx' },
  '/search': { chunk: 'search/SearchPage.tsx' },
  '/contact': { chunk: 'contact/ContactPage.tsx' },
  '/thankyoupage': { chunk: 'contact/ThankYouPage.tsx' },
  '/login': { chunk: 'auth/LoginPage.tsx' },
  '/register': { chunk: 'auth/RegisterPage.tsx' },
  '/forgot-password': { chunk: 'auth/linkPages.ts' },
};

/** @param path of a route, such as '/products/$category' @returns undefined when its page is private */
export const findPublicPage = (path: string): PublicPage | undefined =>
  (publicPages as Record<string, PublicPage | undefined>)[path];
