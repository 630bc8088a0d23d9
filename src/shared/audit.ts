/** The sentences of the audit log. */
export const auditSays = {
  listAudit: { success: 'Audit log', failure: 'Failed to fetch the audit log' },
  exportAudit: { failure: 'Failed to export the audit log' },
  noEntries: 'Nothing found.',
  byTheShop: 'The shop itself',
} as const;

/** What something can be done to. */
export type AuditedKind =
  | 'user'
  | 'session'
  | 'product'
  | 'category'
  | 'order'
  | 'mail'
  | 'message'
  | 'setting'
  | 'discount'
  | 'alarm'
  | 'delivery_method'
  | 'tax_rate';

/** @returns 'Order: status changed' for `order.status_changed` */
export function actionLabel(action: string): string {
  const [thing = '', deed = ''] = action.replaceAll('_', ' ').split('.');
  return `${thing.charAt(0).toUpperCase()}${thing.slice(1)}: ${deed}`;
}
