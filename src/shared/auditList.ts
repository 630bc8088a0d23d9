/** The audit log in the back office. Rule: docs/rules/back-office.md, Audit log */
import { daysFilter, isId, type StaffList } from './staffList';

const upTo = (maxLength: number) => (text: string) => text.length <= maxLength;

export const auditList = {
  call: 'listAudit',
  label: 'Audit log',
  columns: {
    action: { label: 'Action' },
    at: { label: 'When' },
    actor: { label: 'Person' },
    thing: { label: 'Item' },
    changes: { label: 'Change' },
  },
  filters: {
    actor: { label: 'Person', takes: isId },
    action: { label: 'Action', takes: upTo(80) },
    kind: { label: 'Item', takes: upTo(40) },
    days: daysFilter,
    targetId: { label: 'Show', takes: upTo(100) },
  },
  file: {
    call: 'exportAudit',
    name: 'audit',
    loggedAs: 'audit_log',
    headers: {
      at: 'Time',
      actor: 'Who',
      actorId: 'Who (ID)',
      action: 'Action',
      kind: 'Item type',
      targetId: 'Item (ID)',
      before: 'Before',
      after: 'After',
      requestId: 'Request',
      thing: 'Item',
      changes: 'Change',
    },
  },
} as const satisfies StaffList;
