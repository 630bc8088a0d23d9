import fastify from 'fastify';
import { expect, test } from 'vitest';
import { bindContract } from '../../src/server/http/contract';
import { operations } from '../../src/server/http/operations';

const bind = () => bindContract(fastify(), {} as never);
const answer = () => Promise.reject(new Error('is never called here'));

test('an operation that nobody answers stops the start', () => {
  expect(() => bind().complete()).toThrow(/^Nobody answers .*addCartItem/);
});

test('an operation that is answered twice stops the start', () => {
  const api = bind();
  api.on('getCart', answer);
  expect(() => api.on('getCart', answer)).toThrow('getCart is answered twice');
});

test('an operation without roles stops the start', () => {
  const operation = operations.get('getCart')?.operation as { 'x-roles'?: unknown };
  const roles = operation['x-roles'];
  delete operation['x-roles'];
  try {
    expect(() => bind().on('getCart', answer)).toThrow('getCart does not say which roles may call it');
  } finally {
    operation['x-roles'] = roles;
  }
});
