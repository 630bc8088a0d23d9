import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notBuiltYet } from '../../src/server/http/notBuilt';
import type { OperationId } from '../../src/shared/contract';
import { contractOperations, type ContractOperation } from '../support/contract';
import { multipart } from '../support/multipart';
import { openShop, type Person, type TestShop } from '../support/shop';

/** Generated from the contract: every operation with every kind of caller. */
const operations = [...contractOperations.values()];
const callers = ['visitor', 'customer', 'admin', 'owner'] as const;
const roles = { customer: 'ROLE_CUSTOMER', admin: 'ROLE_ADMIN', owner: 'ROLE_OWNER' } as const;
const asked = operations.flatMap((operation) =>
  callers.map((caller) => ({ operation, caller, id: operation.operationId })),
);

let shop: TestShop;
let expired: Person;
beforeAll(async () => {
  shop = await openShop();
  expired = await shop.signIn();
  shop.clock.advance(16 * 60_000);
});
afterAll(() => shop.close());

describe('who may call what', () => {
  test.each(asked)('$id by a $caller', async ({ operation, caller }) => {
    const answer = await ask(operation, await signInAs(caller));
    if (operation['x-roles'].includes(caller)) {
      expect(['unauthenticated', 'forbidden']).not.toContain(answer.code);
      if ((notBuiltYet as readonly OperationId[]).includes(operation.operationId))
        expect(answer).toMatchObject({ status: 501, code: 'not_built' });
    } else if (caller === 'visitor') {
      expect(answer).toMatchObject({ status: 401, code: 'unauthenticated' });
    } else {
      expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    }
  });

  test.each(operations.filter(({ path }) => !path.startsWith('/auth/')))(
    '$operationId with an expired token is refused, whoever may call it',
    async (operation) => {
      expect(await ask(operation, expired)).toMatchObject({ status: 401, code: 'unauthenticated' });
    },
  );

  test.each(operations.filter(({ 'x-roles': allowed }) => !allowed.includes('customer')))(
    'a customer is refused by $operationId before anything else about the request is looked at',
    async (operation) => {
      const answer = await ask(operation, await signInAs('customer'), { ids: 'not-an-id', body: { nonsense: true } });
      expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    },
  );
});

describe('whose it is', () => {
  const owned = operations.filter(({ parameters = [] }) => parameters.some((parameter) => parameter['x-own']));

  test.each(owned)('$operationId answers another user’s id as a missing one, also to staff', async (operation) => {
    for (const role of ['customer', 'admin', 'owner'] as const) {
      const caller = await signInAs(role);
      const foreign = await ask(operation, caller, { userId: (await shop.signIn()).userId });
      const missing = await ask(operation, caller, { userId: randomUUID() });
      expect(foreign).toMatchObject({ status: 404, code: 'not_found' });
      expect({ ...missing.body, requestId: '' }).toEqual({ ...foreign.body, requestId: '' });
    }
  });

  const isBuilt = ({ operationId }: ContractOperation) =>
    !(notBuiltYet as readonly OperationId[]).includes(operationId);
  test.each(owned.filter(isBuilt))('$operationId refuses a malformed user id', async (operation) => {
    expect(await ask(operation, await signInAs('customer'), { userId: 'me' })).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
  });
});

/** Someone new each time: logging out is one of the operations. */
const signInAs = async (caller: (typeof callers)[number]) =>
  caller === 'visitor' ? undefined : shop.signIn({ role: roles[caller] });

type Asked = { ids?: string; userId?: string; body?: object };

/** A well-formed request by the contract's own examples, for the caller's own id where one is asked for. */
function ask(operation: ContractOperation, as: Person | undefined, { ids, userId, body }: Asked = {}) {
  const { parameters = [], requestBody } = operation;
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
  const example = Object.values(requestBody?.content ?? {})[0]?.schema.examples?.[0] as object | undefined;
  const payload = body ?? example;
  const send =
    Object.keys(requestBody?.content ?? {})[0] === 'multipart/form-data' ? multipart(payload ?? {}) : { body: payload };
  return shop.call(operation.operationId, { as, path: path as never, query, ...send });
}
