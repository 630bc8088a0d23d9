/** How many statements an operation sends to the database, and how many it may send. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import type { OperationId } from '../../src/shared/contract';

const counting = new AsyncLocalStorage<{ statements: number }>();

/**
 * From now on, counts the pool's statements for the work that sends them. Leaves out begin, commit and rollback, and
 * notifications after the commit, which may go out with the response or later.
 */
export function countStatementsOf(pool: Pool): void {
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as (...sent: unknown[]) => unknown;
    const counted = (...sent: unknown[]) => {
      const counter = counting.getStore();
      if (counter && !isFrame(sent[0])) counter.statements++;
      return query(...sent);
    };
    client.query = counted as typeof client.query;
  });
}

/** @returns the result of `work` and how many statements it sent; those of parallel work do not count */
export async function withStatements<T>(work: () => Promise<T>): Promise<{ result: T; statements: number }> {
  const counter = { statements: 0 };
  // awaited in here, since the app's inject starts only when awaited
  const result = await counting.run(counter, async () => await work());
  return { result, ...counter };
}

const isFrame = (sent: unknown): boolean =>
  /^\s*(begin|commit|rollback|savepoint|release|set local|select set_config\(|select pg_notify\()/i.test(
    typeof sent === 'string' ? sent : ((sent as { text?: string }).text ?? ''),
  );

/**
 * The most statements each operation's success may take; an Idempotency-Key adds two. A higher number needs a reason.
 * tests/server/db/statements.test.ts finds numbers that grow with the rows of a response.
 */
export const statementsAtMost: Record<OperationId, number> = {
  addAddress: 6,
  acceptInvitation: 12,
  addCartItem: 2,
  addCustomerNote: 8,
  addOrderNote: 16,
  addPhoto: 7,
  adjustStock: 4,
  archiveDeliveryMethod: 6,
  archiveProduct: 4,
  arrangePhotos: 6,
  beginSecondFactor: 6,
  cancelOrder: 48, // it reads the order's units twice: may it be canceled, and what was not shipped
  cancelOwnOrder: 30,
  capturePayment: 7,
  changePassword: 13,
  changeProducts: 3,
  checkPaymentStatus: 1,
  checkPayments: 12,
  clearCart: 2,
  confirmSecondFactor: 14,
  createCategory: 2,
  createContactMessage: 5,
  createList: 3,
  createDiscount: 5,
  createDeliveryMethod: 6,
  createPage: 7,
  createParcel: 26,
  createProduct: 7,
  createUser: 8,
  deleteCategory: 4,
  deleteList: 1,
  deletePage: 7,
  deleteParcel: 36,
  disableSecondFactor: 17,
  endHold: 20,
  endOtherSessions: 3,
  endSession: 5,
  endSessionsOfUser: 6,
  downloadBackup: 1,
  exportAudit: 4,
  exportDiscounts: 5,
  exportLabels: 11,
  exportOrders: 3,
  exportProducts: 3,
  exportCategories: 3,
  exportReport: 4,
  exportSalesSummary: 9,
  exportTaxCollected: 2,
  exportTaxRates: 2,
  exportUsers: 4,
  getCart: 1,
  getCatalogChanges: 5,
  getCategory: 1,
  getDashboard: 11,
  getDiscount: 2,
  getEmailSettings: 3,
  getGoLive: 6,
  getHealthReport: 13,
  getImport: 4,
  getMail: 8,
  getMessage: 2,
  getNonce: 0,
  getOrder: 6,
  getOrderForStaff: 13,
  getPackingSlips: 7,
  getPage: 1,
  getPaymentSettings: 0,
  getPaymentStatus: 2,
  getPickList: 8,
  getProduct: 3, // its sizes, the candidates of 'Goes well with', and the chosen ones
  getProductBySlug: 3,
  getProductForStaff: 1,
  getReport: 4,
  getSalesSummary: 8,
  getStaffPage: 1,
  getStaffMails: 1,
  getSettings: 3,
  getShop: 0, // the settings are cached
  getTaxCollected: 2,
  getUser: 2,
  getCustomerSummary: 5,
  getUserForStaff: 3,
  importProducts: 11,
  importTaxRates: 7,
  inviteStaff: 10,
  listAlarms: 2,
  listAudit: 6,
  listBackups: 4,
  listCategories: 2,
  listCategoriesForStaff: 2,
  listCustomerOrders: 7,
  listDiscounts: 5,
  listDeliveryMethods: 2,
  listHolds: 2,
  listImportRows: 4,
  listImports: 3,
  listLists: 1,
  listMails: 2,
  listCustomerTags: 1,
  listMessages: 2,
  listOrders: 8,
  listPages: 2,
  listProductFilters: 3,
  listProducts: 2,
  listProductsByCategory: 2,
  listProductsForStaff: 4,
  listPromotions: 5,
  listSessions: 1,
  listStaffPages: 2,
  listStockMovements: 2,
  listTaxRates: 2,
  listUsers: 5,
  login: 9,
  logout: 2,
  newRecoveryCodes: 16,
  orderList: 3,
  placeOrder: 9,
  previewPage: 0,
  previewReorder: 2, // the lines, and other sizes of products that are gone
  proveEmail: 5,
  quoteOrder: 3,
  receivePaymentEvent: 2,
  refreshToken: 5,
  refundOrder: 26,
  openBackupDownload: 14,
  register: 11,
  removeAddress: 4,
  removeOwnPicture: 5,
  removeTaxRate: 7,
  removeCartItem: 2,
  removeListItem: 3,
  removeLogo: 6,
  removePhoto: 6,
  removePicture: 4,
  renameList: 4,
  replyToMessage: 9,
  removeMailServer: 30,
  resendMail: 6,
  resetPassword: 13,
  restoreProduct: 2,
  runImport: 12,
  searchProducts: 3,
  sendProofLink: 6,
  sendBatch: 6, // those of its single change, with the key
  sendTestEmail: 6,
  setEmailSettings: 30,
  setStaffMails: 5,
  setBackups: 3,
  setCustomerTags: 10,
  setListItem: 4,
  setMessageState: 5,
  setOrderTracking: 17,
  setLogo: 6,
  setOwnPicture: 5,
  setSizeOf: 9,
  setTaxRate: 7,
  settleAlarm: 3,
  startBackup: 4,
  startImport: 14,
  streamEvents: 0,
  takeOverAccount: 23,
  undoImport: 8,
  updateAddress: 4,
  updateCartItem: 1,
  updateCategory: 3,
  updateDiscount: 6,
  updateDeliveryMethod: 7,
  updateOrderStatus: 21,
  updatePage: 7,
  updateParcel: 22,
  updateProduct: 8,
  updateProfile: 6,
  updateSettings: 6,
  updateUserEnabled: 8,
  updateUserRole: 8,
  uploadPicture: 6,
};
