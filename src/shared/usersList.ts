/** The list of users in the back office. Rule: docs/rules/back-office.md, Lists */
import { customerLimits } from './customers';
import { roleLabels } from './usersAccount';
import { isTextUpTo, type StaffList } from './staffList';
import { stateNames } from './usersStaff';

export const usersList = {
  call: 'listUsers',
  label: 'Users',
  searchLabel: 'Search users',
  columns: {
    fullName: { label: 'Full Name', isSortable: true },
    email: { label: 'Email', isSortable: true },
    createdAt: { label: 'Joined', isSortable: true },
    orders: { label: 'Orders', isFigure: true },
    spent: { label: 'Spent', isFigure: true },
    status: { label: 'Status', isSortable: true },
    role: { label: 'Role', isSortable: true },
  },
  filters: {
    role: { label: 'Role', values: roleLabels },
    state: {
      label: 'Status',
      values: { active: stateNames.on, inactive: stateNames.off },
      sends: (value) => ({ isEnabled: value === 'active' }),
    },
    tag: { label: 'Tag', takes: isTextUpTo(customerLimits.tag) },
  },
  file: {
    call: 'exportUsers',
    name: 'users',
    loggedAs: 'users',
    headers: {
      fullName: 'Full Name',
      email: 'Email',
      createdAt: 'Joined',
      status: 'Status',
      role: 'Role',
      phoneNumber: 'Phone',
      orders: 'Orders',
      spent: 'Spent',
    },
  },
} as const satisfies StaffList;
