import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { ownPath } from '../../shared/auth';
import { shopName } from '../../shared/brand';
import { parsePage } from '../../shared/paging';
import { userQuery } from '../account/queries';
import { isRefusal } from '../api/apiError';
import { cartQuery } from '../cart/queries';
import { listSearch } from '../catalog/listSearch';
import { categoriesQuery, categoryProductsQuery, firstProductsQuery, productQuery } from '../catalog/queries';
import { ProductListPage } from '../catalog/ProductListPage';
import { ordersQuery } from '../orders/queries';
import { ErrorPage } from './ErrorPage';
import { ForbiddenPage } from './ForbiddenPage';
import { requireLogin, requireLoginOfStaff, requireVisitor } from './guards';
import { NotFoundPage } from '../ui/NotFoundPage';
import { Root } from './Root';
import { ShopLayout } from './ShopLayout';

export interface Context {
  queryClient: QueryClient;
}

const titled = (title: string) => () => ({ meta: [{ title: `${title} | ${shopName}` }] });

/**
 * In the browser a page shows its skeleton while its data comes, and says itself what it could not get. The server waits,
 * so that it sends a full page, or a 404 for what does not exist. Data reaches the pages through the cache alone: what a
 * loader gave would travel in the page a second time.
 */
const isServer = typeof window === 'undefined';
function load(...reads: Promise<unknown>[]): Promise<void> | undefined {
  if (isServer) return Promise.all(reads).then(() => undefined, refuse);
  void Promise.allSettled(reads);
  return undefined;
}
function refuse(error: unknown): never {
  throw isRefusal(error) ? notFound() : error;
}
/** A page of a list that ends before it. */
const requirePage =
  (page: number) =>
  ({ content }: { content: readonly unknown[] }) => {
    if (page > 1 && content.length === 0) throw notFound();
  };

/**
 * What stands behind the `?`, checked by hand so that zod stays out of the first load. A key that is left out would keep
 * its unchecked value (the router lays the result over what it parsed), so each is named, if only as undefined.
 */
const pageSearch = (search: Record<string, unknown>): { page?: number | undefined } => {
  const page = parsePage(search['page']);
  return { page: page > 1 ? page : undefined };
};
const redirectSearch = (search: Record<string, unknown>): { redirect?: string | undefined } => ({
  redirect: ownPath(text(search['redirect'])),
});
/** Text with commas in it may arrive as a list. */
const text = (value: unknown) => [value ?? ''].flat().map(String).join(',');

const rootRoute = createRootRouteWithContext<Context>()({
  component: Root,
  notFoundComponent: () => (
    <ShopLayout>
      <NotFoundPage />
    </ShopLayout>
  ),
});

const shop = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shop',
  component: ShopLayout,
  notFoundComponent: NotFoundPage,
});

const home = createRoute({
  getParentRoute: () => shop,
  path: '/',
  staticData: { isPublic: true, chunk: 'home/HomePage.tsx' },
  loader: ({ context: { queryClient } }) =>
    load(queryClient.fetchQuery(categoriesQuery), queryClient.fetchQuery(firstProductsQuery)),
  component: lazyRouteComponent(() => import('../home/HomePage'), 'HomePage'),
  errorComponent: ErrorPage,
});

const productList = createRoute({
  getParentRoute: () => shop,
  path: 'products/$category',
  staticData: { isPublic: true },
  validateSearch: listSearch,
  search: { middlewares: [({ search, next }) => listSearch({ ...next(search) })] }, // what came along stays out of links
  loaderDeps: ({ search }) => listSearch(search), // of an address with more in it, only what the list knows
  loader: ({ context: { queryClient }, params: { category }, deps: { page = 1, ...filter } }) =>
    load(
      queryClient
        .fetchQuery(categoryProductsQuery(category, { page, ...filter }))
        .then(({ products }) => requirePage(page)(products)),
    ),
  component: ProductListPage,
});

const product = createRoute({
  getParentRoute: () => shop,
  path: 'customer/view/product/$id',
  staticData: { isPublic: true, chunk: 'catalog/ProductPage.tsx' },
  loader: ({ context: { queryClient }, params: { id } }) => load(queryClient.fetchQuery(productQuery(id))),
  component: lazyRouteComponent(() => import('../catalog/ProductPage'), 'ProductPage'),
});

const login = createRoute({
  getParentRoute: () => shop,
  path: 'login',
  validateSearch: redirectSearch,
  beforeLoad: requireVisitor,
  head: titled('Login'),
  component: lazyRouteComponent(() => import('../auth/LoginPage'), 'LoginPage'),
});

const register = createRoute({
  getParentRoute: () => shop,
  path: 'register',
  validateSearch: redirectSearch,
  beforeLoad: requireVisitor,
  head: titled('Register'),
  component: lazyRouteComponent(() => import('../auth/RegisterPage'), 'RegisterPage'),
});

const signedIn = createRoute({ getParentRoute: () => shop, id: 'signed-in', beforeLoad: requireLogin });

const cart = createRoute({
  getParentRoute: () => signedIn,
  path: 'cart',
  loader: ({ context: { queryClient, user } }) => load(queryClient.fetchQuery(cartQuery(user.id))),
  head: titled('Cart'),
  component: lazyRouteComponent(() => import('../cart/CartPage'), 'CartPage'),
});

const checkout = createRoute({
  getParentRoute: () => signedIn,
  path: 'checkout',
  loader: ({ context: { queryClient, user } }) =>
    load(queryClient.fetchQuery(cartQuery(user.id)), queryClient.fetchQuery(userQuery(user.id))),
  head: titled('Checkout'),
  component: lazyRouteComponent(() => import('../checkout/CheckoutPage'), 'CheckoutPage'),
});

const orders = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/orders',
  validateSearch: pageSearch,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ context: { queryClient, user }, deps: { page } }) =>
    load(queryClient.fetchQuery(ordersQuery(user.id, page))),
  head: titled('Orders'),
  component: lazyRouteComponent(() => import('../orders/OrdersPage'), 'OrdersPage'),
});

const paymentResult = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/order/success',
  validateSearch: (search) => ({
    session_id: text(search['session_id']),
    user_id: text(search['user_id']),
    cart_id: text(search['cart_id']),
  }),
  head: titled('Payment'),
  component: lazyRouteComponent(() => import('../checkout/PaymentResultPage'), 'PaymentResultPage'),
});

/** Pages that are linked already and not there yet. */
const beforeLoad = () => {
  throw notFound();
};
const contact = createRoute({
  getParentRoute: () => shop,
  path: 'contact',
  staticData: { isPublic: true },
  beforeLoad,
});
const forgotPassword = createRoute({
  getParentRoute: () => shop,
  path: 'forgot-password',
  staticData: { isPublic: true },
  beforeLoad,
});
const search = createRoute({ getParentRoute: () => shop, path: 'search', staticData: { isPublic: true }, beforeLoad });
const viewProfile = createRoute({ getParentRoute: () => signedIn, path: 'customer/view/profile', beforeLoad });
const editProfile = createRoute({ getParentRoute: () => signedIn, path: 'customer/edit/profile', beforeLoad });
const viewAddresses = createRoute({ getParentRoute: () => signedIn, path: 'customer/view/addresses', beforeLoad });

/** The addresses of the back office: guarded already, although their pages are not there yet. */
const admin = createRoute({
  getParentRoute: () => shop,
  id: 'admin',
  beforeLoad: (where) => {
    if (requireLoginOfStaff(where).mayEnter) throw notFound();
  },
  head: titled('403 forbidden'),
  component: ForbiddenPage,
});
const adminPaths = [
  'dashboard',
  'products',
  'new/product',
  'view/product/$id',
  'update/product/$id',
  'product/category',
  'new/product/category',
  'view/product/category/$id',
  'update/product/category/$id',
  'user/management',
  'new/user',
  'ordered/products',
  'admin/$',
] as const;
const adminRoutes = adminPaths.map((path) => createRoute({ getParentRoute: () => admin, path }));

export const routeTree = rootRoute.addChildren([
  shop.addChildren([
    home,
    productList,
    product,
    login,
    register,
    contact,
    search,
    forgotPassword,
    signedIn.addChildren([cart, checkout, orders, paymentResult, viewProfile, editProfile, viewAddresses]),
    admin.addChildren(adminRoutes),
  ]),
]);
