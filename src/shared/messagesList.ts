/** The inbox of the back office. Rule: docs/rules/contact-and-mail.md, Inbox */
import { messageStateLabels } from './contact';
import { isId, type StaffList } from './staffList';

export const messagesList = {
  call: 'listMessages',
  label: 'Messages',
  searchLabel: 'Search messages',
  columns: {
    fullName: { label: 'Name' },
    email: { label: 'Email' },
    reason: { label: 'Message' },
    createdAt: { label: 'Date' },
    state: { label: 'Status' },
  },
  filters: {
    state: { label: 'Status', values: messageStateLabels },
    // set by links from a customer's page
    customer: { label: 'Customer', takes: isId },
  },
} as const satisfies StaffList;
