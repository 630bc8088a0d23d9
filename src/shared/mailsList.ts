/** The list of mails in the back office. Rule: docs/rules/contact-and-mail.md, The mail page */
import { mailStateLabels } from './mail';
import type { StaffList } from './staffList';

export const mailsList = {
  call: 'listMails',
  label: 'Email log',
  columns: {
    kind: { label: 'Email' },
    recipient: { label: 'Recipient' },
    orderNumber: { label: 'Order' },
    createdAt: { label: 'Date' },
    state: { label: 'Status' },
  },
  filters: { state: { label: 'Status', values: mailStateLabels } },
} as const satisfies StaffList;
