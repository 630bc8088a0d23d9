import fastify from 'fastify';
import { expect, expectTypeOf, test } from 'vitest';
import type { Session } from '../../../src/server/http/contract/access';
import type { Call, EarlyCall } from '../../../src/server/http/contract/call';
import { conflict, type Problem } from '../../../src/server/http/core/problems';
import { bindContract } from '../../../src/server/http/contract/contract';
import { operations } from '../../../src/server/http/contract/operations';

const bind = () => bindContract(fastify(), {} as never);
const answer = () => Promise.reject(new Error('is never called here'));

test('an operation without a handler stops the start', () => {
  expect(() => bind().complete()).toThrow(/^No handler registered for .*addCartItem/);
});

test('an operation with two handlers stops the start', () => {
  const api = bind();
  api.on('getCart', answer);
  expect(() => api.on('getCart', answer)).toThrow("getCart has two handlers, or isn't in the contract");
});

test('an operation without roles stops the start', () => {
  const operation = operations.get('getCart')?.operation as { 'x-roles'?: unknown };
  const roles = operation['x-roles'];
  delete operation['x-roles'];
  try {
    expect(() => bind().on('getCart', answer)).toThrow("getCart doesn't declare which roles may call it");
  } finally {
    operation['x-roles'] = roles;
  }
});

// The type check fails where one of these no longer holds; none of them runs.
test('a handler can only use what its operation has', () => {
  expectTypeOf<Call<'getCart'>['session']>().toEqualTypeOf<Session>();
  expectTypeOf<Call<'getShop'>['session']>().toEqualTypeOf<Session | undefined>();
  expectTypeOf<Call<'addCartItem'>['by']['userId']>().toEqualTypeOf<string>();
  expectTypeOf<Call<'createContactMessage'>['by']['userId']>().toEqualTypeOf<string | null>();

  expectTypeOf<Call<'addCartItem'>>().toHaveProperty('tx');
  expectTypeOf<Call<'addCartItem'>>().not.toHaveProperty('db');
  expectTypeOf<Call<'getCart'>>().toHaveProperty('db');
  expectTypeOf<Call<'getCart'>>().not.toHaveProperty('tx');
  expectTypeOf<Call<'placeOrder'>>().not.toHaveProperty('tx');
  expectTypeOf<EarlyCall<'changePassword'>>().not.toHaveProperty('tx');
});

test('an error has a code that the contract lists', () => {
  expectTypeOf<'cart_empty'>().toExtend<Problem['code']>();
  expectTypeOf<'no_such_code'>().not.toExtend<Problem['code']>();
  // @ts-expect-error no operation lists it
  conflict('no_such_code', 'This cannot be said');
});
