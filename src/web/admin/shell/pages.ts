import type { ComponentType } from 'react';

type Load = () => Promise<ComponentType>;

/** The component of each back-office route, each in its own chunk. */
const pages = {
  dashboard: async () => (await import('../dashboard/AdminDashboardPage')).AdminDashboardPage,
  products: async () => (await import('../products/AdminProductsPage')).AdminProductsPage,
  'admin/products/import': async () => (await import('../imports/AdminImportPage')).AdminImportPage,
  'new/product': async () => (await import('../products/AdminNewProductPage')).AdminNewProductPage,
  'view/product/$id': async () => (await import('../products/AdminProductPage')).AdminProductPage,
  'update/product/$id': async () => (await import('../products/AdminEditProductPage')).AdminEditProductPage,
  'product/category': async () => (await import('../categories/AdminCategoriesPage')).AdminCategoriesPage,
  'new/product/category': async () => (await import('../categories/AdminNewCategoryPage')).AdminNewCategoryPage,
  'view/product/category/$id': async () => (await import('../categories/AdminCategoryPage')).AdminCategoryPage,
  'update/product/category/$id': async () =>
    (await import('../categories/AdminEditCategoryPage')).AdminEditCategoryPage,
  'user/management': async () => (await import('../users/AdminUsersPage')).AdminUsersPage,
  'new/user': async () => (await import('../users/AdminNewUserPage')).AdminNewUserPage,
  'ordered/products': async () => (await import('../orders/AdminOrdersPage')).AdminOrdersPage,
  'admin/orders/ship': async () => (await import('../orders/AdminShipPage')).AdminShipPage,
  'admin/orders/$orderId': async () => (await import('../orders/AdminOrderPage')).AdminOrderPage,
  'admin/orders/pick-list': async () => (await import('../orders/AdminPickListPage')).AdminPickListPage,
  'admin/orders/packing-slips': async () => (await import('../orders/AdminPackingSlipsPage')).AdminPackingSlipsPage,
  'admin/view/profile': async () => (await import('../profile/AdminProfilePage')).AdminProfilePage,
  'admin/edit/profile': async () => (await import('../profile/AdminEditProfilePage')).AdminEditProfilePage,
  'admin/edit/password': async () => (await import('../profile/AdminPasswordPage')).AdminPasswordPage,
  'admin/edit/second-factor': async () => (await import('../profile/AdminSecondFactorPage')).AdminSecondFactorPage,
  'admin/view/user/$userId': async () => (await import('../users/AdminUserPage')).AdminUserPage,
  'admin/holds': async () => (await import('../holds/AdminHoldsPage')).AdminHoldsPage,
  'admin/reports': async () => (await import('../reports/AdminReportsPage')).AdminReportsPage,
  'admin/reports/tax': async () => (await import('../tax/AdminTaxReportPage')).AdminTaxReportPage,
  'admin/reports/summary': async () => (await import('../reports/AdminSummaryPage')).AdminSummaryPage,
  'admin/discounts': async () => (await import('../discounts/AdminDiscountsPage')).AdminDiscountsPage,
  'admin/discounts/new': async () => (await import('../discounts/AdminNewDiscountPage')).AdminNewDiscountPage,
  'admin/discounts/$discountId': async () => (await import('../discounts/AdminDiscountPage')).AdminDiscountPage,
  'admin/messages': async () => (await import('../contact/AdminMessagesPage')).AdminMessagesPage,
  'admin/mail': async () => (await import('../mail/AdminMailPage')).AdminMailPage,
  'admin/audit': async () => (await import('../audit/AdminAuditPage')).AdminAuditPage,
  'admin/delivery': async () => (await import('../delivery/AdminDeliveryPage')).AdminDeliveryPage,
  'admin/tax': async () => (await import('../tax/AdminTaxPage')).AdminTaxPage,
  'admin/pages': async () => (await import('../pages/AdminPagesPage')).AdminPagesPage,
  'admin/pages/$pageId': async () => (await import('../pages/AdminPageFormPage')).AdminPageFormPage,
  'admin/health': async () => (await import('../health/AdminHealthPage')).AdminHealthPage,
  'admin/settings': async () => (await import('../settings/AdminSettingsPage')).AdminSettingsPage,
  'admin/settings/$place': async () => (await import('../settings/AdminSettingsPlacePage')).AdminSettingsPlacePage,
} as const satisfies Record<string, Load>;

/** Each path has a route in app/adminRoutes.ts. */
export type AdminPath = keyof typeof pages;

export const loadPage = (path: AdminPath): Promise<ComponentType> => pages[path]();
