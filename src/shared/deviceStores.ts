/**
 * The stores of the databases on users' devices, with keys and indexes in Dexie's syntax. They are names as in
 * deviceNames.ts and never change. A bundler doesn't inline them, so they are apart: the first page opens no database.
 */

export const databaseStores = {
  products: 'id',
  categories: 'id',
  about: 'key',
  outbox: '++order, &key, userId',
  orders: 'id, userId',
} as const;
/** A key of a row in the store `about`. */
export const aboutOrders = (userId: string) => `orders:${userId}` as const;

export const keyDatabaseStores = { keys: '' } as const;

export const kitchenDatabaseStores = { lists: 'userId', intents: 'userId', changes: 'key, userId' } as const;
