/** The list of products in the back office. Rule: docs/rules/back-office.md, Lists */
import { categoryNamePattern } from './catalog';
import { isTextUpTo, type StaffList } from './staffList';

export const productsList = {
  call: 'listProductsForStaff',
  label: 'Products',
  searchLabel: 'Search products',
  isNumbered: true,
  columns: {
    name: { label: 'Product', isSortable: true },
    price: { label: 'Price', isSortable: true, isFigure: true },
    availability: { label: 'Availability', isSortable: true },
    quantity: { label: 'Quantity', isSortable: true, isFigure: true },
    category: { label: 'Category', isSortable: true },
  },
  otherSorts: ['createdAt', 'unitCost'],
  filters: {
    category: { label: 'Category', takes: (text) => categoryNamePattern.test(text) },
    availability: { label: 'Availability', values: { available: 'Available', notAvailable: 'Not Available' } },
    lowStock: { label: 'Stock', takes: (text) => text === 'true', sends: () => ({ lowStock: true }) },
    supplier: { label: 'Supplier', takes: isTextUpTo(80) },
    tag: { label: 'Tag', takes: isTextUpTo(30) },
    archived: { label: 'Deleted', values: { yes: 'Deleted only', all: 'Include deleted' } },
  },
  file: { call: 'exportProducts', name: 'products', loggedAs: 'products' },
} as const satisfies StaffList;
