/** The list of categories in the back office. Rule: docs/rules/back-office.md, Lists */
import type { StaffList } from './staffList';

export const categoriesList = {
  call: 'listCategoriesForStaff',
  label: 'Categories',
  searchLabel: 'Search categories',
  isNumbered: true,
  columns: {
    name: { label: 'Product', isSortable: true }, // the label that the client chose
    description: { label: 'Description', isSortable: true },
    products: { label: 'Products', isSortable: true, isFigure: true },
  },
  otherSorts: ['createdAt'],
  filters: {},
  file: {
    call: 'exportCategories',
    name: 'categories',
    loggedAs: 'categories',
    headers: { id: 'id', name: 'name', title: 'title', description: 'description', products: 'products' },
  },
} as const satisfies StaffList;
