import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../../src/shared/contract';
import {
  keptOf,
  missingId,
  ownedPlaces,
  unknownIdPlaces,
  withBelongings,
  type Belongings,
  type OwnedName,
} from '../../support/belongings';
import { contractOperations, exampleOf, type ContractOperation } from '../../support/contract';
import { multipart } from '../../support/multipart';
import { openOwnShop, type Answer, type Person, type TestShop } from '../../support/shop';

/** Generated from the contract: every operation with every kind of caller, and with every kind of id. */
const operations = [...contractOperations.values()];
const callers = ['visitor', 'customer', 'admin', 'owner'] as const;
const roles = { customer: 'ROLE_CUSTOMER', admin: 'ROLE_ADMIN', owner: 'ROLE_OWNER' } as const;
const asked = operations.flatMap((operation) =>
  callers.map((caller) => ({ operation, caller, id: operation.operationId })),
);

let shop: TestShop;
let expired: Person;
let disabled: Person;
/** For calls that are rejected because of the role and so change nothing. */
let refused: Record<(typeof callers)[number], Person | undefined>;
let ended: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  expired = await shop.signIn({ role: 'ROLE_ADMIN' });
  shop.clock.advance(16 * 60_000);
  const owner = await shop.signIn({ role: 'ROLE_OWNER' });
  refused = {
    visitor: undefined,
    customer: await shop.signIn(),
    admin: await shop.signIn({ role: 'ROLE_ADMIN' }),
    owner: await shop.signIn({ role: 'ROLE_OWNER' }),
  };
  disabled = await shop.signIn({ role: 'ROLE_ADMIN' });
  await shop.call('updateUserEnabled', { as: owner, path: { userId: disabled.userId }, body: { isEnabled: false } });
  ended = await shop.signIn({ role: 'ROLE_ADMIN' });
  await shop.call('logout', { as: ended });
});
afterAll(() => shop.close());

test.each(operations)('$operationId names the roles that may call it', ({ 'x-roles': allowed }) => {
  expect(allowed.length).toBeGreaterThan(0);
  expect(allowed).toContain('owner'); // a higher role may do everything that a lower one may
  if (allowed.includes('visitor')) expect([...allowed].sort()).toEqual([...callers].sort());
  if (allowed.includes('customer')) expect(allowed).toContain('admin');
});

describe('who may call what', () => {
  test.each(asked)('$id by a $caller', async ({ operation, caller }) => {
    const isAllowed = operation['x-roles'].includes(caller);
    const answer = await ask(operation, isAllowed ? await signInAs(caller) : refused[caller]);
    expect(answer.status).not.toBe(500);
    if (isAllowed) {
      expect(['unauthenticated', 'forbidden']).not.toContain(answer.code);
    } else if (caller === 'visitor') {
      expect(answer).toMatchObject({ status: 401, code: 'unauthenticated' });
    } else {
      expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    }
  });

  /** Login, refresh and logout ignore the header; the body or the cookie counts there. */
  const ignoresHeader = ({ path, 'x-roles': allowed }: ContractOperation) =>
    path.startsWith('/auth/') && allowed.includes('visitor');

  const gone: [string, () => Person][] = [
    ['an expired token', () => expired],
    ['the token of a disabled user', () => disabled],
    ['the token of an ended session', () => ended],
  ];
  describe.each(gone)('with %s', (_, whose) => {
    test.each(operations.filter((operation) => !ignoresHeader(operation)))(
      '$operationId is rejected for every caller',
      async (operation) => {
        expect(await ask(operation, whose())).toMatchObject({ status: 401, code: 'unauthenticated' });
      },
    );
  });

  test.each(operations.filter(({ 'x-roles': allowed }) => !allowed.includes('customer')))(
    '$operationId rejects a customer before anything else in the request is checked',
    async (operation) => {
      const answer = await ask(operation, refused.customer, { ids: 'not-an-id', body: { nonsense: true } });
      expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    },
  );
});

describe('ownership', () => {
  const rolesOf = ({ 'x-roles': allowed }: ContractOperation) =>
    (['customer', 'admin', 'owner'] as const).filter((role) => allowed.includes(role));
  const owned = operations.filter(({ parameters = [] }) => parameters.some((parameter) => parameter['x-own']));

  test.each(owned)('$operationId answers another user’s id as a missing one, also to staff', async (operation) => {
    for (const role of rolesOf(operation)) {
      const caller = await signInAs(role);
      const foreign = await ask(operation, caller, { userId: (await shop.signIn()).userId });
      const missing = await ask(operation, caller, { userId: randomUUID() });
      expect(foreign).toMatchObject({ status: 404, code: 'not_found' });
      expect(comparable(missing)).toEqual(comparable(foreign));
    }
  });

  test.each(owned)('$operationId rejects a malformed user id', async (operation) => {
    for (const role of rolesOf(operation))
      expect(await ask(operation, await signInAs(role), { userId: 'me' })).toMatchObject({
        status: 400,
        code: 'invalid_request',
      });
  });
});

describe('each place in a request that may name a customer’s thing', () => {
  let stranger: Belongings;
  beforeAll(async () => {
    stranger = await withBelongings(shop);
  });

  test('is tried below, whatever the contract contains', () => {
    expect(unknownIdPlaces()).toEqual([]);
  });

  test.each([
    { parameters: [{ name: 'wishId', in: 'path' as const }] },
    { parameters: [{ name: 'wish', in: 'query' as const, schema: { format: 'uuid' } }] },
    { requestBody: { content: { 'application/json': { schema: { oneOf: [{ properties: { wish_id: {} } }] } } } } },
    { requestBody: { content: { 'application/json': { schema: { properties: { ids: { items: {} } } } } } } },
  ])('would be missed: %j', (asked) => {
    const operation = { ...operations[0], operationId: 'getCart' as const, parameters: [], requestBody: undefined };
    expect(unknownIdPlaces([{ ...operation, ...asked } as ContractOperation])).toHaveLength(1);
  });

  test.each(ownedPlaces)('$id answers a foreign $name as a missing one, and changes nothing', async (place) => {
    const { operation, name } = place;
    const before = await keptOf(shop, stranger.as);
    const me = await withBelongings(shop);
    const foreign = await askWith(operation, me, { [name]: stranger.ids[name] });
    const missing = await askWith(operation, me, { [name]: missingId(name) });
    expect(comparable(foreign)).toEqual(comparable(missing));
    expect(await keptOf(shop, stranger.as)).toEqual(before);
    expect(JSON.stringify(foreign.body)).not.toContain(stranger.as.email);
    const malformed = await askWith(operation, me, { [name]: "nobody's" });
    expect([200, 400, 404]).toContain(malformed.status); // 200: the state of an unknown payment
    const own = await askWith(operation, me, {});
    expect([401, 403, 500]).not.toContain(own.status);
    // an unpaid payment looks like an unknown one
    if (own.status < 300 && place.id !== 'checkPaymentStatus') expect(comparable(own)).not.toEqual(comparable(foreign));
  });

  test('a mix of the user’s own and foreign ids is rejected, and nothing changes', async () => {
    const me = await withBelongings(shop);
    const before = [await keptOf(shop, me.as), await keptOf(shop, stranger.as)];
    const path = { userId: me.ids.userId };
    const foreign = stranger.ids;
    const mixed = [
      shop.call('placeOrder', { as: me.as, path: { ...path, cartId: foreign.cartId }, body: order }),
      shop.call('removeCartItem', { as: me.as, path: { ...path, cartItemId: foreign.cartItemId } }),
      shop.call('updateCartItem', { as: me.as, body: { cartItemId: foreign.cartItemId, quantity: 5 } }),
      shop.call('updateAddress', { as: me.as, path: { ...path, addressId: foreign.addressId }, body: address }),
      shop.call('removeAddress', { as: me.as, path: { ...path, addressId: foreign.addressId } }),
      shop.call('endSession', { as: me.as, path: { ...path, sessionId: foreign.sessionId } }),
      shop.call('getOrder', { as: me.as, path: { orderId: foreign.orderId } }),
    ];
    for (const answer of await Promise.all(mixed)) expect(answer.status).toBe(404);
    const payment = { session_id: me.ids.session_id, user_id: me.ids.userId, cart_id: me.ids.cartId };
    for (const other of [
      { session_id: foreign.session_id },
      { user_id: foreign.userId },
      { cart_id: foreign.cartId },
      { user_id: foreign.userId, cart_id: foreign.cartId },
    ])
      expect((await shop.call('capturePayment', { as: me.as, query: { ...payment, ...other } })).status).toBe(404);
    expect([await keptOf(shop, me.as), await keptOf(shop, stranger.as)]).toEqual(before);
  });
});

const address = { street: '1 Palm Road', city: 'Savannah', state: 'GA', postalCode: '31401' };
const order = { customer: 'Ana', deliveryAddress: address };

/** A new user each time: logging out is one of the operations. */
const signInAs = async (caller: (typeof callers)[number]) =>
  caller === 'visitor' ? undefined : shop.signIn({ role: roles[caller] });

/** A response without the values that differ between requests. */
const comparable = ({ status, body, headers }: Answer<OperationId>) => {
  const { date: _, ...same } = headers;
  return { status, body: { ...body, requestId: '' }, headers: same };
};

type Asked = { ids?: string; userId?: string; body?: object };

/** A well-formed request from the contract's own examples, with the caller's own id where one is needed. */
function ask(operation: ContractOperation, as: Person | undefined, { ids, userId, body }: Asked = {}) {
  const { parameters = [] } = operation;
  const path = Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => [
        parameter.name,
        ids ?? (parameter['x-own'] ? (userId ?? as?.userId ?? randomUUID()) : String(parameter.example)),
      ]),
  );
  const query = Object.fromEntries(
    parameters
      .filter(({ in: place, required }) => place === 'query' && required)
      .map(({ name, example }) => [name, String(example)]),
  );
  return send(operation, as, path, query, body ?? exampleOf(operation));
}

/** The same with the caller's own things, except those that `other` names. */
function askWith(operation: ContractOperation, { as, ids }: Belongings, other: Partial<Record<OwnedName, string>>) {
  const known: Record<string, string> = { ...ids, ...other };
  const { parameters = [] } = operation;
  const values = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters
        .filter(({ in: where, name, required }) => where === place && (required || name in known))
        .map(({ name, example }) => [name, known[name] ?? String(example)]),
    );
  const example = exampleOf(operation);
  const body =
    example && Object.fromEntries(Object.entries(example).map(([field, value]) => [field, known[field] ?? value]));
  return send(operation, as, values('path'), values('query'), body);
}

function send(
  { operationId, requestBody }: ContractOperation,
  as: Person | undefined,
  path: object,
  query: Record<string, unknown>,
  body: object | undefined,
): Promise<Answer<OperationId>> {
  const isMultipart = Object.keys(requestBody?.content ?? {})[0] === 'multipart/form-data';
  return shop.call(operationId, {
    as,
    path: path as never,
    query,
    ...(isMultipart ? multipart(body ?? {}) : { body }),
  });
}
