import { paidOrder } from '../../support/buying';
import { press } from '../openTab';
import { noProfile, nobody, openAs, ownAccount, page, type Read } from './reads';
import { stage } from './stage';

type Place = readonly [at: string, what: string];
type Words = readonly [failure: string, back: string, loading?: string];

/** A read that the page of an address makes by itself. */
const on = (
  address: string | (() => Promise<string>),
  [at, what]: Place,
  refused: RegExp,
  [failure, link, loading]: Words,
): Read => ({
  at: `admin/${at}`,
  what,
  refused,
  failure,
  provoke: page('owner', address),
  back: { link },
  ...(loading && { loading: `Loading ${loading}` }),
});

const inDialog = (
  [at, what]: Place,
  refused: RegExp,
  failure: string,
  provoke: Read['provoke'],
  loading?: string,
): Read => ({
  at: `admin/${at}`,
  what,
  refused,
  failure,
  provoke,
  back: 'closes',
  ...(loading && { loading }),
});

const ofProduct = (prefix: string) => async () => `${prefix}/${(await stage.shop.stock()).id}`;
const ofCategory = (prefix: string) => async () => `${prefix}/${(await stage.shop.category()).id}`;
const ofUser = async () => `/admin/view/user/${(await stage.shop.signIn()).userId}`;
const ofOrder = async () => `/admin/orders/${(await paidOrder(stage.shop)).orderId}`;

async function openMessage(refuse: () => void): Promise<void> {
  const email = `${crypto.randomUUID()}@example.com`;
  await stage.shop.call('createContactMessage', {
    body: { fullName: 'Lamin Touray', email, reason: 'Half-kilo bags?' },
  });
  await openAs('owner', `/admin/messages?q=${email}`, refuse);
  await press('Lamin Touray');
}

async function openMail(refuse: () => void): Promise<void> {
  await paidOrder(stage.shop);
  await openAs('owner', '/admin/mail', refuse);
  await press('Order confirmation');
}

async function demote(refuse: () => void): Promise<void> {
  const { email } = await stage.shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Eve Njie' });
  await openAs('owner', `/user/management?q=${email}`, refuse);
  await press('Menu of Eve Njie');
  await press('User');
}

const toDashboard = 'Dashboard';

const ofShop: Read[] = [
  on('/dashboard', ['dashboard/AdminDashboardPage.tsx', 'dashboardQuery'], /\/admin\/dashboard$/, [
    'Failed to fetch the dashboard',
    'Home',
    'the figures',
  ]),
  on('/dashboard', ['dashboard/Attention.tsx', 'alarmsQuery'], /\/admin\/alarms$/, [
    'Failed to fetch what needs attention',
    'Home',
  ]),
  on('/dashboard', ['dashboard/RecentMessages.tsx', 'recentMessagesQuery'], /\/admin\/messages$/, [
    'Failed to fetch messages',
    'Home',
    'the messages',
  ]),
  on('/ordered/products', ['orders/AdminOrdersPage.tsx', 'ordersQuery'], /\/admin\/orders$/, [
    'Failed to fetch orders',
    toDashboard,
    'Orders',
  ]),
  on(`/admin/orders/${nobody}`, ['orders/AdminOrderPage.tsx', 'orderQuery'], /\/admin\/orders\/[^/]+$/, [
    'Failed to load order details.',
    'Orders',
    'the order',
  ]),
  on(ofOrder, ['orders/AdminOrderPage.tsx', 'alarmsQuery'], /\/admin\/alarms$/, [
    'Failed to fetch what needs attention',
    'Orders',
  ]),
  on('/admin/reports', ['reports/AdminReportsPage.tsx', 'reportQuery'], /\/admin\/reports\/product$/, [
    'Failed to fetch the report',
    'Home',
    'the report',
  ]),
  on('/admin/discounts', ['discounts/AdminDiscountsPage.tsx', 'discountsQuery'], /\/admin\/discounts$/, [
    'Failed to fetch the discount codes',
    toDashboard,
    'Discount codes',
  ]),
  on(`/admin/discounts/${nobody}`, ['discounts/AdminDiscountPage.tsx', 'discountQuery'], /\/discounts\/[^/]+$/, [
    'Failed to fetch the discount code',
    'Discounts',
    'the code',
  ]),
  on('/admin/discounts/new', ['discounts/CategoryChoice.tsx', 'categoryChoicesQuery'], /\/admin\/categories$/, [
    'Failed to fetch category',
    'Discounts',
  ]),
  on('/admin/holds', ['holds/AdminHoldsPage.tsx', 'holdsQuery'], /\/admin\/holds$/, [
    'Failed to fetch the holds',
    toDashboard,
    'Holds',
  ]),
  on('/admin/messages', ['inbox/AdminMessagesPage.tsx', 'messagesQuery'], /\/admin\/messages$/, [
    'Failed to fetch messages',
    toDashboard,
    'Messages',
  ]),
  inDialog(
    ['inbox/MessageDialog.tsx', 'messageQuery'],
    /\/admin\/messages\/[^/]+$/,
    'Failed to fetch message',
    openMessage,
    'Loading the message',
  ),
  on('/admin/mail', ['mail/AdminMailPage.tsx', 'mailsQuery'], /\/admin\/mails$/, [
    'Failed to fetch the mails',
    toDashboard,
    'Mail',
  ]),
  inDialog(
    ['mail/MailDialog.tsx', 'mailQuery'],
    /\/admin\/mails\/[^/]+$/,
    'Failed to fetch the mail',
    openMail,
    'Loading the mail',
  ),
  on('/admin/audit', ['audit/AdminAuditPage.tsx', 'auditQuery'], /\/admin\/audit$/, [
    'Failed to fetch the audit log',
    toDashboard,
    'Audit log',
  ]),
  on('/admin/delivery', ['delivery/AdminDeliveryPage.tsx', 'methodsQuery'], /\/admin\/delivery-methods$/, [
    'Failed to fetch the delivery methods',
    toDashboard,
    'the delivery methods',
  ]),
  on('/admin/tax', ['tax/AdminTaxPage.tsx', 'ratesQuery'], /\/admin\/tax-rates$/, [
    'Failed to fetch the rates',
    toDashboard,
    'the rates',
  ]),
  on('/admin/tax', ['tax/CollectedBox.tsx', 'collectedQuery'], /\/admin\/tax-rates\/collected$/, [
    'Failed to fetch what was collected',
    toDashboard,
    'what was collected',
  ]),
  on('/admin/tax', ['tax/CollectedBox.tsx', 'settingsQuery'], /\/admin\/settings$/, [
    'Failed to fetch what was collected',
    toDashboard,
    'what was collected',
  ]),
  on('/admin/settings', ['settings/AdminSettingsPage.tsx', 'settingsQuery'], /\/admin\/settings$/, [
    'Failed to fetch settings',
    toDashboard,
    'the settings',
  ]),
];

const ofCatalog: Read[] = [
  on('/products', ['products/AdminProductsPage.tsx', 'productsQuery'], /\/admin\/products$/, [
    'Failed to fetch products',
    toDashboard,
    'Products',
  ]),
  on(ofProduct('/view/product'), ['products/AdminProductPage.tsx', 'productQuery'], /\/admin\/products\/[^/]+$/, [
    'Failed to fetch product',
    'Products',
    'the product',
  ]),
  on(ofProduct('/update/product'), ['products/AdminEditProductPage.tsx', 'productQuery'], /\/products\/[^/]+$/, [
    'Failed to fetch product',
    'Products',
    'the product',
  ]),
  on(ofProduct('/view/product'), ['products/StockLedger.tsx', 'stockQuery'], /\/stock$/, [
    'Failed to fetch the stock movements',
    'Products',
    'the stock',
  ]),
  on('/new/product', ['products/ProductFields.tsx', 'categoryChoicesQuery'], /\/admin\/categories$/, [
    'Failed to fetch category',
    'Products',
  ]),
  on('/product/category', ['categories/AdminCategoriesPage.tsx', 'staffCategoriesQuery'], /\/admin\/categories$/, [
    'Failed to fetch category',
    toDashboard,
    'Product categories',
  ]),
  on(ofCategory('/view/product/category'), ['categories/AdminCategoryPage.tsx', 'categoryQuery'], /ies\/[^/]+$/, [
    'Failed to fetch category',
    'Product Category',
    'the category',
  ]),
  on(ofCategory('/update/product/category'), ['categories/AdminEditCategoryPage.tsx', 'categoryQuery'], /ies\/[^/]+$/, [
    'Failed to fetch category',
    'Product Category',
    'the category',
  ]),
];

const ofPeople: Read[] = [
  on('/user/management', ['users/AdminUsersPage.tsx', 'usersQuery'], /\/admin\/users$/, [
    'Error fetching users',
    toDashboard,
    'Users',
  ]),
  on(ofUser, ['users/AdminUserPage.tsx', 'staffUserQuery'], /\/admin\/users\/[^/]+$/, [
    noProfile,
    'Users',
    'user profile...',
  ]),
  on(ofUser, ['users/Promotions.tsx', 'promotionsQuery'], /\/promotions$/, [
    'Failed to fetch who was made staff',
    'Users',
  ]),
  inDialog(['users/Promotions.tsx', 'useQueries'], /\/promotions$/, 'Failed to fetch who was made staff', demote),
  on('/admin/view/profile', ['profile/AdminProfilePage.tsx', 'userQuery'], ownAccount, [
    noProfile,
    toDashboard,
    'user profile...',
  ]),
  on('/admin/edit/profile', ['profile/AdminEditProfilePage.tsx', 'userQuery'], ownAccount, [
    noProfile,
    toDashboard,
    'your profile',
  ]),
];

export const staffReads: Read[] = [...ofShop, ...ofCatalog, ...ofPeople];
