/** The list of unpaid orders' holds. Rule: docs/rules/back-office.md, Holds */
import type { StaffList } from './staffList';

export const holdsList = {
  call: 'listHolds',
  label: 'Holds',
  columns: {
    customer: { label: 'Customer' },
    orderNumber: { label: 'Order' },
    since: { label: 'Held' },
    lines: { label: 'Goods' },
  },
  filters: {},
} as const satisfies StaffList;
