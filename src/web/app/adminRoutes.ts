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
const paths = [
  'dashboard',
  'products',
  'admin/products/import',
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
  'admin/orders/ship',
  'admin/orders/$orderId',
  'admin/orders/pick-list',
  'admin/orders/packing-slips',
  'admin/view/profile',
  'admin/edit/profile',
  'admin/edit/password',
  'admin/edit/second-factor',
  'admin/view/user/$userId',
  'admin/holds',
  'admin/reports',
  'admin/reports/tax',
  'admin/reports/summary',
  'admin/discounts',
  'admin/discounts/new',
  'admin/discounts/$discountId',
  'admin/messages',
  'admin/mail',
  'admin/audit',
  'admin/health',
  'admin/settings',
  'admin/settings/$place',
  'admin/delivery',
  'admin/tax',
  'admin/pages',
  'admin/pages/$pageId',
] as const satisfies readonly AdminPath[];

type RoutesOf<Paths extends readonly AdminPath[]> = {
  [Index in keyof Paths]: ReturnType<typeof adminPage<Paths[Index]>>;
};

/** From a list of paths, which is smaller than a call for each: the first load has it. */
export const adminRoutes = paths.map(adminPage) as unknown as RoutesOf<typeof paths>;
