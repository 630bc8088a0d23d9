/** The list of unpaid orders' holds. Rule: docs/rules/back-office.md, Holds */
import type { StaffList } from './staffList';

export const holdsList = {
  call: 'listHolds',
  label: 'Reserved stock',
  columns: {
    customer: { label: 'Customer' },
    orderNumber: { label: 'Order' },
    since: { label: 'Reserved' },
    lines: { label: 'Items' },
  },
  filters: {},
} as const satisfies StaffList;
