import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { ownPath } from '../../shared/auth';
import { parsePage } from '../../shared/paging';
import { userQuery } from '../account/queries';
import { cartQuery } from '../cart/queries';
import { categoryProductsQuery, productQuery } from '../catalog/queries';
import { bannerTitle } from '../catalog/CategoryBanner';
import { ProductListPage } from '../catalog/ProductListPage';
import { ordersQuery } from '../orders/queries';
import { ErrorPage } from './ErrorPage';
import { ForbiddenPage } from './ForbiddenPage';
import { Forbidden, requireLogin, requireStaff, requireVisitor } from './guards';
import { NotFoundPage } from '../ui/NotFoundPage';
import { Root } from './Root';
import { ShopLayout } from './ShopLayout';

export interface Context {
  queryClient: QueryClient;
}

const shopName = 'Savory, Seasoning & Spices';
const titled = (title: string) => () => ({ meta: [{ title: `${title} | ${shopName}` }] });

/** In the browser a page shows its skeleton while its data comes; the server waits, so that it sends a full page. */
const isServer = typeof window === 'undefined';
const load = (...reads: Promise<unknown>[]) => (isServer ? Promise.all(reads) : undefined);

/**
 * What stands behind the `?`, checked by hand so that zod stays out of the first load. A key that is left out would keep
 * its unchecked value (the router lays the result over what it parsed), so each is named, if only as undefined.
 */
const pageSearch = (search: Record<string, unknown>): { page?: number | undefined } => {
  const page = parsePage(search['page']);
  return { page: page > 1 ? page : undefined };
};
const redirectSearch = (search: Record<string, unknown>): { redirect?: string | undefined } => ({
  redirect: ownPath(search['redirect']),
});
/** The router reads a value of digits as a number; here all of them are names. */
const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const rootRoute = createRootRouteWithContext<Context>()({
  component: Root,
  notFoundComponent: () => (
    <ShopLayout>
      <NotFoundPage />
    </ShopLayout>
  ),
  head: () => ({ meta: [{ title: shopName }] }),
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
  component: lazyRouteComponent(() => import('../home/HomePage'), 'HomePage'),
  errorComponent: ErrorPage,
});

const productList = createRoute({
  getParentRoute: () => shop,
  path: 'products/$category',
  validateSearch: pageSearch,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ context: { queryClient }, params: { category }, deps: { page } }) =>
    load(queryClient.prefetchQuery(categoryProductsQuery(category, page))),
  head: ({ params: { category } }) => titled(bannerTitle(category, undefined))(),
  component: ProductListPage,
});

const product = createRoute({
  getParentRoute: () => shop,
  path: 'customer/view/product/$id',
  loader: ({ context: { queryClient }, params: { id } }) => load(queryClient.prefetchQuery(productQuery(id))),
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
  loader: ({ context: { queryClient, user } }) => load(queryClient.prefetchQuery(cartQuery(user.id))),
  head: titled('Cart'),
  component: lazyRouteComponent(() => import('../cart/CartPage'), 'CartPage'),
});

const checkout = createRoute({
  getParentRoute: () => signedIn,
  path: 'checkout',
  loader: ({ context: { queryClient, user } }) =>
    load(queryClient.prefetchQuery(cartQuery(user.id)), queryClient.prefetchQuery(userQuery(user.id))),
  head: titled('Checkout'),
  component: lazyRouteComponent(() => import('../checkout/CheckoutPage'), 'CheckoutPage'),
});

const orders = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/orders',
  validateSearch: pageSearch,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ context: { queryClient, user }, deps: { page } }) =>
    load(queryClient.prefetchQuery(ordersQuery(user.id, page))),
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
const contact = createRoute({ getParentRoute: () => shop, path: 'contact', beforeLoad });
const forgotPassword = createRoute({ getParentRoute: () => shop, path: 'forgot-password', beforeLoad });
const viewProfile = createRoute({ getParentRoute: () => signedIn, path: 'customer/view/profile', beforeLoad });
const editProfile = createRoute({ getParentRoute: () => signedIn, path: 'customer/edit/profile', beforeLoad });
const viewAddresses = createRoute({ getParentRoute: () => signedIn, path: 'customer/view/addresses', beforeLoad });

/** The addresses of the back office: guarded already, although their pages are not there yet. */
const admin = createRoute({
  getParentRoute: () => shop,
  id: 'admin',
  beforeLoad: (where) => {
    requireStaff(where);
    throw notFound();
  },
  errorComponent: ({ error }) => (error instanceof Forbidden ? <ForbiddenPage /> : <ErrorPage />),
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
    forgotPassword,
    signedIn.addChildren([cart, checkout, orders, paymentResult, viewProfile, editProfile, viewAddresses]),
    admin.addChildren(adminRoutes),
  ]),
]);
