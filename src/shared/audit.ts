/** Messages of the audit log. Rule: docs/rules/back-office.md, Audit log */
export const auditMessages = {
  listAudit: { success: 'Audit log', failure: "Couldn't load the audit log" },
  exportAudit: { failure: "Couldn't export the audit log. Try again." },
  noEntries: 'No entries found.',
  byTheShop: 'The shop',
} as const;

/** Display names of the kinds of entity in the log. */
export const auditKindLabels = {
  user: 'User',
  session: 'Device',
  product: 'Product',
  category: 'Category',
  order: 'Order',
  page: 'Page',
  mail: 'Email',
  message: 'Message',
  setting: 'Setting',
  discount: 'Discount code',
  alarm: 'Alert',
  delivery_method: 'Delivery method',
  tax_rate: 'Tax rate',
  export: 'Export',
  import: 'Import',
  backup: 'Backup',
} as const;
export type AuditedKind = keyof typeof auditKindLabels;

export const kindLabel = (kind: string): string =>
  kind in auditKindLabels ? auditKindLabels[kind as AuditedKind] : sentence(kind);

/** Display names of the actions in the log. */
export const auditActionLabels = {
  'alarm.settled': 'Alert resolved',
  'category.changed': 'Category updated',
  'category.created': 'Category created',
  'category.deleted': 'Category deleted',
  'category.restored': 'Category restored',
  'delivery_method.archived': 'Delivery method archived',
  'delivery_method.changed': 'Delivery method updated',
  'delivery_method.created': 'Delivery method added',
  'delivery_method.restored': 'Delivery method restored',
  'backup.downloaded': 'Backup downloaded',
  'backup.started': 'Backup started',
  'audit_log.exported': 'Audit log exported',
  'categories.exported': 'Categories exported',
  'discounts.exported': 'Discount codes exported',
  'labels.exported': 'Shipping labels exported',
  'orders.exported': 'Orders exported',
  'products.exported': 'Products exported',
  'report.exported': 'Report exported',
  'tax_collected.exported': 'Collected tax exported',
  'tax_rates.exported': 'Tax rates exported',
  'users.exported': 'Users exported',
  'discount.changed': 'Discount code updated',
  'discount.created': 'Discount code added',
  'import.undone': 'Import undone',
  'mail.resent': 'Email sent again',
  'message.replied': 'Message replied to',
  'message.state_changed': 'Message status changed',
  'order.canceled': 'Order canceled',
  'order.hold_ended': 'Reserved stock released',
  'order.note_added': 'Order note added',
  'order.parcel_changed': 'Package updated',
  'order.parcel_created': 'Items shipped',
  'order.parcel_deleted': 'Package deleted',
  'order.refund_asked': 'Refund requested',
  'order.status_changed': 'Order status changed',
  'order.tracking_set': 'Tracking link set',
  'page.changed': 'Page updated',
  'page.created': 'Page added',
  'page.deleted': 'Page deleted',
  'page.restored': 'Page restored',
  'product.archived': 'Product deleted',
  'product.changed': 'Product updated',
  'product.changed_by_import': 'Product updated by import',
  'product.created': 'Product created',
  'product.created_by_import': 'Product created by import',
  'product.imported': 'Products imported',
  'product.photo_added': 'Product photo added',
  'product.photos_arranged': 'Product photos arranged',
  'product.picture_changed': 'Product photo changed',
  'product.picture_removed': 'Product photo removed',
  'product.picture_uploaded': 'Product photo uploaded',
  'product.restored': 'Product restored',
  'product.sizes_changed': 'Product sizes changed',
  'product.stock_adjusted': 'Stock adjusted',
  'session.ended': 'Device logged out',
  'session.others_ended': 'Other devices logged out',
  'setting.changed': 'Setting changed',
  'setting.logo_changed': 'Logo changed',
  'setting.logo_removed': 'Logo removed',
  'tax_rate.changed': 'Tax rate changed',
  'tax_rate.removed': 'Tax rate removed',
  'user.address_added': 'Address added',
  'user.address_changed': 'Address updated',
  'user.address_removed': 'Address removed',
  'user.created': 'User created',
  'user.disabled': 'User deactivated',
  'user.email_asked_for': 'Email change requested',
  'user.email_proven': 'Email confirmed',
  'user.enabled': 'User activated',
  'user.note_added': 'Customer note added',
  'user.password_changed': 'Password changed',
  'user.password_reset': 'Password reset',
  'user.password_set_on_server': 'Password set on the server',
  'user.picture_changed': 'Profile photo changed',
  'user.picture_removed': 'Profile photo removed',
  'user.profile_changed': 'Profile updated',
  'user.role_changed': 'Role changed',
  'user.invited': 'User invited',
  'user.second_factor_off': 'Two-step login turned off',
  'user.second_factor_off_on_server': 'Two-step login turned off on the server',
  'user.recovery_codes_replaced': 'Recovery codes replaced',
  'user.second_factor_on': 'Two-step login turned on',
  'user.staff_mails_changed': 'Email notifications changed',
  'user.sessions_ended': 'User logged out everywhere',
  'user.tags_changed': 'Customer tags changed',
  'user.taken_over': 'Email claimed',
} as const;
export type AuditAction = keyof typeof auditActionLabels;

/** @returns 'Order status changed' for `order.status_changed`; an unknown action is split into its words */
export const actionLabel = (action: string): string =>
  action in auditActionLabels ? auditActionLabels[action as AuditAction] : sentence(action);

const sentence = (name: string) => {
  const words = name.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Actions that an import performed on single products. The list omits them unless they are requested. */
export const importActions = ['product.created_by_import', 'product.changed_by_import'] as const;
