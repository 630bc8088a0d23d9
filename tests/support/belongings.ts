/** The ids of one customer's things, under the names that requests use for them. */
import { randomUUID } from 'node:crypto';
import { contractOperations, exampleOf, type ContractOperation, type Shape } from './contract';
import { openOrder } from './buying';
import type { Person, TestShop } from './shop';

export type Belongings = { as: Person; ids: Record<OwnedName, string> };

/** Parameters and fields that hold the id of a customer's thing. */
export const ownedNames = [
  'userId',
  'user_id',
  'addressId',
  'sessionId',
  'cartId',
  'cart_id',
  'cartItemId',
  'listId',
  'orderId',
  'session_id',
] as const;
export type OwnedName = (typeof ownedNames)[number];

/** A new customer with a cart line, an address, a session, a list and an open order. */
export async function withBelongings(shop: TestShop): Promise<Belongings> {
  const { as, orderId, sessionId: paymentSessionId } = await openOrder(shop);
  const path = { userId: as.userId };
  const address = { street: '1 Palm Road', city: 'Savannah', state: 'GA', postalCode: '31401' };
  const saved = await shop.call('addAddress', { as, path, body: address });
  const cart = await shop.call('getCart', { as, path });
  const listId = randomUUID();
  await shop.call('createList', { as, path, body: { id: listId, name: 'Dry store' } });
  const onList = { ...path, listId, productId: (await shop.stock()).id };
  await shop.call('setListItem', { as, path: onList, body: { add: true, par: 6, onHand: 2.5 } });
  const sessions = await shop.call('listSessions', { as, path });
  const ids = {
    userId: as.userId,
    user_id: as.userId,
    addressId: saved.data.user.addresses[0]?.id ?? '',
    sessionId: sessions.data.sessions[0]?.id ?? '',
    cartId: as.cartId,
    cart_id: as.cartId,
    cartItemId: cart.data.cartResponse.cartItems[0]?.cartItemId ?? '',
    listId,
    orderId,
    session_id: paymentSessionId,
  };
  return { as, ids };
}

/** An id that does not exist. */
export const missingId = (name: OwnedName): string =>
  name === 'session_id' ? `cs_test_${randomUUID().replaceAll('-', '')}` : randomUUID();

/** All rows about a user, to detect changes by other users. */
export async function keptOf(shop: TestShop, { userId }: Person): Promise<unknown> {
  const tables = [
    'select * from users where id = $1',
    'select * from addresses where user_id = $1 order by id',
    'select * from session_families where user_id = $1 order by id',
    'select * from carts where user_id = $1',
    'select i.* from cart_items i join carts c on c.id = i.cart_id where c.user_id = $1 order by i.id',
    'select * from lists where user_id = $1 order by id',
    'select * from list_items where user_id = $1 order by product_id',
    'select * from orders where user_id = $1 order by id',
    'select * from holds where user_id = $1',
    'select s.* from payment_sessions s join orders o on o.id = s.order_id where o.user_id = $1 order by o.id',
  ];
  const kept = [];
  for (const table of tables) kept.push((await shop.pool.query(table, [userId])).rows);
  return JSON.parse(JSON.stringify(kept)) as unknown;
}

const ofCustomers = [...contractOperations.values()].filter(
  ({ path, 'x-roles': roles }) => roles.includes('customer') && !path.startsWith('/admin/'),
);

/** Each customer operation with each parameter and field that takes such an id. */
export const ownedPlaces = ofCustomers.flatMap((operation) =>
  [...parameterNames(operation), ...fieldNames(operation)].map((name) => ({
    operation,
    id: operation.operationId,
    name,
  })),
);

/** Where customers send an id of something public. */
const publicPlaces = [
  'getProduct id',
  'addCartItem productId',
  'updateCartItem productId',
  'placeOrder deliveryMethodId',
  'quoteOrder deliveryMethodId',
  'setListItem productId',
  'removeListItem productId',
  'orderList productIds',
];
/**
 * Where customers send an id that they have just generated, unique per customer. Paths within a batch: batch.test.ts.
 */
const newPlaces = ['createList id', 'sendBatch key'];

/**
 * Where customers send any other id. An id that belongs to a customer goes into `ownedNames`, `withBelongings`,
 * `keptOf` and the example body; any other into `publicPlaces`.
 */
export function unknownIdPlaces(operations: readonly ContractOperation[] = ofCustomers): string[] {
  const known = new Set([...publicPlaces, ...newPlaces, ...ownedPlaces.map(({ id, name }) => `${id} ${name}`)]);
  const places = operations.flatMap(({ operationId, parameters = [], requestBody }) => {
    const sent = parameters.filter((parameter) => parameter.in !== 'header');
    const names = sent.filter(({ name, schema = {} }) => isId(name, schema)).map(({ name }) => name);
    const body = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => idsIn(schema));
    return [...names, ...body].map((name) => `${operationId} ${name}`);
  });
  return [...new Set(places)].filter((place) => !known.has(place));
}

const isId = (name: string, { format, items }: Shape): boolean =>
  (format ?? items?.format) === 'uuid' || /^ids?$|Ids?$|_ids?$/.test(name);

const idsIn = ({ properties = {}, items, oneOf = [], anyOf = [], allOf = [] }: Shape): string[] => [
  ...Object.entries(properties).flatMap(([name, shape]) => (isId(name, shape) ? [name] : idsIn(shape))),
  ...[...(items ? [items] : []), ...oneOf, ...anyOf, ...allOf].flatMap(idsIn),
];

function parameterNames({ parameters = [] }: ContractOperation): OwnedName[] {
  const names = parameters.filter(({ in: place }) => place !== 'header').map(({ name }) => name);
  return ownedNames.filter((name) => names.includes(name));
}

function fieldNames(operation: ContractOperation): OwnedName[] {
  const example = exampleOf(operation) ?? {};
  return ownedNames.filter((name) => Object.hasOwn(example, name));
}
