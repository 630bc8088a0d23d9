/** The list of discount codes in the back office. Rule: docs/rules/back-office.md, Lists */
import { discountStatusLabels } from './discounts';
import { reportPeriodLabels } from './reports';
import type { StaffList } from './staffList';

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

export const discountsList = {
  call: 'listDiscounts',
  label: 'Discount codes',
  searchLabel: 'Search codes',
  columns: {
    code: { label: 'Code', isSortable: true },
    gives: { label: 'Discount' },
    conditions: { label: 'Requirements' },
    uses: { label: 'Used', isSortable: true },
    revenue: { label: 'Revenue', isSortable: true, isFigure: true },
    status: { label: 'Status' },
  },
  otherSorts: ['createdAt'],
  filters: {
    status: { label: 'Status', values: discountStatusLabels },
    // the days for the revenue have a chip of their own
    period: { values: reportPeriodLabels },
    from: { takes: isDay },
    to: { takes: isDay },
  },
  file: {
    call: 'exportDiscounts',
    name: 'discounts',
    loggedAs: 'discounts',
    headers: {
      code: 'Code',
      kind: 'Discount type',
      percent: 'Percent',
      amount: 'Amount',
      minimum: 'Minimum',
      startsAt: 'Starts',
      endsAt: 'Ends',
      maxUses: 'Total uses',
      maxUsesPerCustomer: 'Uses per customer',
      uses: 'Used',
      revenue: 'Revenue',
      status: 'Status',
      note: 'Note',
    },
  },
} as const satisfies StaffList;
