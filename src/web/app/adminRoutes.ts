import { createRoute } from '@tanstack/react-router';
import type { AdminPath } from '../admin/shell/pages';
import { importWhileHere } from '../browser/importWhileHere';
import { AdminFailure, AdminGate, AdminPage, AdminPageFailure } from './AdminGate';
import { requireLoginOfStaff } from './guards';
import { rootRoute } from './rootRoute';
import { adminSearch } from './routeSearch';

/**
 * Routes of the back office. Their pages are listed in admin/shell/pages.ts, so that the first load contains no
 * back-office code and only staff download it.
 */
export const admin = createRoute({
  getParentRoute: () => rootRoute,
  id: 'admin',
  beforeLoad: requireLoginOfStaff,
  component: AdminGate,
  errorComponent: AdminFailure,
});
const adminPage = <const Path extends AdminPath>(path: Path) =>
  createRoute({
    getParentRoute: () => admin,
    path,
    validateSearch: adminSearch<Path>,
    loader: async ({ context }) => ({
      Page: context.mayEnter
        ? await importWhileHere(import('../admin/shell/pages').then(({ loadPage }) => loadPage(path)))
        : undefined,
    }),
    component: AdminPage,
    errorComponent: AdminPageFailure,
  });
export const adminRoutes = [
  adminPage('dashboard'),
  adminPage('products'),
  adminPage('admin/products/import'),
  adminPage('new/product'),
  adminPage('view/product/$id'),
  adminPage('update/product/$id'),
  adminPage('product/category'),
  adminPage('new/product/category'),
  adminPage('view/product/category/$id'),
  adminPage('update/product/category/$id'),
  adminPage('user/management'),
  adminPage('new/user'),
  adminPage('ordered/products'),
  adminPage('admin/orders/ship'),
  adminPage('admin/orders/$orderId'),
  adminPage('admin/orders/pick-list'),
  adminPage('admin/orders/packing-slips'),
  adminPage('admin/view/profile'),
  adminPage('admin/edit/profile'),
  adminPage('admin/edit/password'),
  adminPage('admin/edit/second-factor'),
  adminPage('admin/view/user/$userId'),
  adminPage('admin/holds'),
  adminPage('admin/reports'),
  adminPage('admin/reports/tax'),
  adminPage('admin/discounts'),
  adminPage('admin/discounts/new'),
  adminPage('admin/discounts/$discountId'),
  adminPage('admin/messages'),
  adminPage('admin/mail'),
  adminPage('admin/audit'),
  adminPage('admin/health'),
  adminPage('admin/settings'),
  adminPage('admin/settings/$place'),
  adminPage('admin/delivery'),
  adminPage('admin/tax'),
  adminPage('admin/pages'),
  adminPage('admin/pages/$pageId'),
] as const;
