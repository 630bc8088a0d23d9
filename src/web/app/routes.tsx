import { createRoute } from '@tanstack/react-router';
import { importWhileHere } from '../browser/importWhileHere';
import { cartQuery } from '../cart/queries';
import { listSearch } from '../catalog/core/listSearch';
import {
  categoriesQuery,
  categoryProductsQuery,
  firstProductsQuery,
  productBySlugQuery,
  productQuery,
} from '../catalog/core/queries';
import { ProductListPage } from '../catalog/pages/ProductListPage';
import { admin, adminRoutes } from './adminRoutes';
import { devRoutes } from './devRoutes';
import { ErrorPage } from './ErrorPage';
import { requireLogin, requireVisitor } from './guards';
import { lazyPage } from './lazyPage';
import { load, requirePage, requireSlug } from './load';
import { NotFoundPage } from '../catalog/core/NotFoundPage';
import { UserPages } from './UserPages';
import { rootRoute } from './rootRoute';
import { loginSearch, pageSearch, redirectSearch, searchSearch, text } from './routeSearch';
import { accountPage, listPage, orderPage, readAccount, readLists, readUser, withTitle } from './routeParts';
import { loadOwnPages, readOwnPage } from './ownPageParts';
import { ShopLayout } from './ShopLayout';

const shop = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shop',
  component: ShopLayout,
  notFoundComponent: NotFoundPage,
});

const home = createRoute({
  getParentRoute: () => shop,
  path: '/',
  loader: ({ context: { queryClient } }) =>
    load(queryClient.fetchQuery(categoriesQuery), queryClient.fetchQuery(firstProductsQuery)),
  component: lazyPage(() => import('../home/HomePage'), 'HomePage'),
  errorComponent: ErrorPage,
});

const productList = createRoute({
  getParentRoute: () => shop,
  path: 'products/$category',
  validateSearch: listSearch,
  search: { middlewares: [({ search, next }) => listSearch({ ...next(search) })] }, // links drop other parameters
  loaderDeps: ({ search }) => listSearch(search), // only the list's parameters
  loader: ({ context: { queryClient }, params: { category }, deps: { page = 1, ...filter } }) =>
    load(
      queryClient
        .fetchQuery(categoryProductsQuery(category, { page, ...filter }))
        .then(({ products }) => requirePage(page)(products)),
      queryClient.fetchQuery(categoriesQuery),
    ),
  component: ProductListPage,
});

const loadProductPages = () => import('../catalog/pages/ProductPage');

const product = createRoute({
  getParentRoute: () => shop,
  path: 'customer/view/product/$id',
  loader: ({ context: { queryClient }, params: { id } }) => load(queryClient.fetchQuery(productQuery(id))),
  component: lazyPage(loadProductPages, 'ProductPage'),
});

const productAtSlug = createRoute({
  getParentRoute: () => shop,
  path: 'p/$slug',
  loader: ({ context: { queryClient }, params: { slug } }) =>
    load(
      queryClient.fetchQuery(productBySlugQuery(slug)).then(({ slug: present = slug }) => requireSlug(slug, present)),
    ),
  component: lazyPage(loadProductPages, 'ProductAtSlugPage'),
});

const search = createRoute({
  getParentRoute: () => shop,
  path: 'search',
  validateSearch: searchSearch,
  search: { middlewares: [({ search, next }) => searchSearch({ ...next(search) })] },
  loaderDeps: ({ search }) => searchSearch(search),
  loader: ({ context: { queryClient }, deps: { q, page = 1 } }) =>
    load(
      queryClient.fetchQuery(categoriesQuery),
      q &&
        import('../search/queries').then(async ({ foundQuery }) =>
          requirePage(page)(await queryClient.fetchQuery(foundQuery(q, page))),
        ),
    ),
  component: lazyPage(() => import('../search/SearchPage'), 'SearchPage'),
});

const ownPage = createRoute({
  getParentRoute: () => shop,
  path: 'pages/$slug',
  loader: readOwnPage,
  component: lazyPage(loadOwnPages, 'OwnPage'),
});

const contact = createRoute({
  getParentRoute: () => shop,
  path: 'contact',
  component: lazyPage(() => import('../contact/ContactPage'), 'ContactPage'),
});

const thankYou = createRoute({
  getParentRoute: () => shop,
  path: 'thankyoupage',
  component: lazyPage(() => import('../contact/ThankYouPage'), 'ThankYouPage'),
});

const login = createRoute({
  getParentRoute: () => shop,
  path: 'login',
  validateSearch: loginSearch,
  beforeLoad: requireVisitor,
  component: lazyPage(() => import('../auth/LoginPage'), 'LoginPage'),
});

const register = createRoute({
  getParentRoute: () => shop,
  path: 'register',
  validateSearch: redirectSearch,
  beforeLoad: requireVisitor,
  component: lazyPage(() => import('../auth/RegisterPage'), 'RegisterPage'),
});

const loadLinkPages = () => import('../auth/linkPages');

const forgotPassword = createRoute({
  getParentRoute: () => shop,
  path: 'forgot-password',
  component: lazyPage(loadLinkPages, 'ForgotPasswordPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => shop,
  path: 'reset-password',
  component: lazyPage(loadLinkPages, 'ResetPasswordPage'),
});

const invitation = createRoute({
  getParentRoute: () => shop,
  path: 'invitation',
  component: lazyPage(loadLinkPages, 'InvitationPage'),
});

const confirmEmail = createRoute({
  getParentRoute: () => shop,
  path: 'confirm-email',
  component: lazyPage(loadLinkPages, 'ConfirmEmailPage'),
});

const userRoute = { beforeLoad: requireLogin, component: UserPages };

const signedIn = createRoute({ ...userRoute, getParentRoute: () => shop, id: 'signed-in' });

const cart = createRoute({
  getParentRoute: () => signedIn,
  path: 'cart',
  loader: ({ context: { queryClient, user } }) =>
    load(queryClient.fetchQuery(cartQuery(user.id)), queryClient.fetchQuery(categoriesQuery)),
  head: withTitle('Cart'),
  component: lazyPage(() => import('../cart/CartPage'), 'CartPage'),
});

const loadCheckout = () => import('../checkout/CheckoutPage');

const checkout = createRoute({
  getParentRoute: () => signedIn,
  path: 'checkout',
  beforeLoad: ({ context: { queryClient }, location }) =>
    importWhileHere(import('../checkout/providerScript')).then(({ requireOwnDocument }) =>
      requireOwnDocument(queryClient, location.href),
    ),
  loader: ({ context: { queryClient, user } }) =>
    load(queryClient.fetchQuery(cartQuery(user.id)), readUser({ queryClient, user })),
  head: withTitle('Checkout'),
  component: lazyPage(loadCheckout, 'CheckoutPage'),
});

const waitingOrder = createRoute({
  getParentRoute: () => signedIn,
  path: 'checkout/waiting',
  head: withTitle('Checkout'),
  component: lazyPage(loadCheckout, 'WaitingOrderPage'),
});

const orderQueries = () => import('../orders/queries');

const orders = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/orders',
  validateSearch: pageSearch,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ context: { queryClient, user }, deps: { page } }) =>
    load(
      orderQueries().then(({ ordersQuery }) => queryClient.fetchQuery(ordersQuery(user.id, page))),
      queryClient.fetchQuery(categoriesQuery),
    ),
  head: withTitle('Orders'),
  component: orderPage('orders'),
});

const receipt = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/orders/$orderId/receipt',
  loader: ({ context: { queryClient, user }, params: { orderId } }) =>
    load(orderQueries().then(({ orderQuery }) => queryClient.fetchQuery(orderQuery(user.id, orderId)))),
  head: withTitle('Receipt'),
  component: orderPage('receipt'),
});

const paymentResult = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/order/success',
  validateSearch: (search) => ({
    session_id: text(search['session_id']),
    user_id: text(search['user_id']),
    cart_id: text(search['cart_id']),
  }),
  head: withTitle('Payment'),
  component: lazyPage(() => import('../checkout/PaymentResultPage'), 'PaymentResultPage'),
});

const viewProfile = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/view/profile',
  loader: readAccount,
  head: withTitle('Profile'),
  component: accountPage('profile'),
});

const editProfile = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/edit/profile',
  loader: readAccount,
  head: withTitle('Edit Profile'),
  component: accountPage('editProfile'),
});

/** Users who must change their password or set up the second factor are sent to this page or the next one. */
const changePassword = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/edit/password',
  validateSearch: redirectSearch,
  head: withTitle('Change password'),
  component: accountPage('password'),
});

const secondFactor = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/edit/second-factor',
  validateSearch: redirectSearch,
  loader: readAccount,
  head: withTitle('Two-step login'),
  component: accountPage('secondFactor'),
});

const viewAddresses = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/view/addresses',
  validateSearch: pageSearch,
  loader: readAccount,
  head: withTitle('View Addresses'),
  component: accountPage('addresses'),
});

const lists = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/lists',
  loader: readLists,
  head: withTitle('My lists'),
  component: listPage('lists'),
});

const list = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/lists/$listId',
  loader: readLists,
  head: withTitle('List'),
  component: listPage('list'),
});

const changes = createRoute({
  getParentRoute: () => signedIn,
  path: 'customer/changes',
  head: withTitle('Updates'),
  component: listPage('changes'),
});

/** Full screen: without header, footer and tab bar. */
const kitchen = createRoute({ ...userRoute, getParentRoute: () => rootRoute, id: 'kitchen' });

const countList = createRoute({
  getParentRoute: () => kitchen,
  path: 'customer/lists/$listId/count',
  loader: readLists,
  head: withTitle('Count'),
  component: listPage('count'),
});

export const routeTree = rootRoute.addChildren([
  shop.addChildren([
    home,
    productList,
    product,
    productAtSlug,
    login,
    register,
    contact,
    ownPage,
    thankYou,
    search,
    forgotPassword,
    resetPassword,
    invitation,
    confirmEmail,
    signedIn.addChildren([
      cart,
      checkout,
      waitingOrder,
      orders,
      receipt,
      paymentResult,
      viewProfile,
      editProfile,
      changePassword,
      secondFactor,
      viewAddresses,
      lists,
      list,
      changes,
    ]),
  ]),
  kitchen.addChildren([countList]),
  admin.addChildren(adminRoutes),
  ...devRoutes,
]);
