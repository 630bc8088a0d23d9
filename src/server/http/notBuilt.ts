import type { OperationId } from '../../shared/contract';

/** What the contract promises and nobody has built yet: each answers 501 after its roles were checked. */
export const notBuiltYet = [
  'resetPassword',
  'createContactMessage',
  'getCatalogChanges',
  'updateProfile',
  'addAddress',
  'updateAddress',
  'removeAddress',
  'listUsers',
  'getUserForStaff',
  'createUser',
  'updateUserRole',
] as const satisfies readonly OperationId[];
