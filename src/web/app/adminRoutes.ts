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
  'admin/audit',
  'admin/delivery',
  'admin/discounts',
  'admin/discounts/$discountId',
  'admin/discounts/new',
  'admin/edit/password',
  'admin/edit/profile',
  'admin/edit/second-factor',
  'admin/health',
  'admin/holds',
  'admin/mail',
  'admin/messages',
  'admin/orders/$orderId',
  'admin/orders/packing-slips',
  'admin/orders/pick-list',
  'admin/orders/ship',
  'admin/pages',
  'admin/pages/$pageId',
  'admin/products/import',
  'admin/reports',
  'admin/reports/summary',
  'admin/reports/tax',
  'admin/settings',
  'admin/settings/$place',
  'admin/tax',
  'admin/view/profile',
  'admin/view/user/$userId',
  'dashboard',
  'new/product',
  'new/product/category',
  'new/user',
  'ordered/products',
  'product/category',
  'products',
  'update/product/$id',
  'update/product/category/$id',
  'user/management',
  'view/product/$id',
  'view/product/category/$id',
] as const satisfies readonly AdminPath[];

type RoutesOf<Paths extends readonly AdminPath[]> = {
  [Index in keyof Paths]: ReturnType<typeof adminPage<Paths[Index]>>;
};

/** From a list of paths, which is smaller than a call for each: the first load has it. */
export const adminRoutes = paths.map(adminPage) as unknown as RoutesOf<typeof paths>;
