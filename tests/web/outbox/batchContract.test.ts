// @vitest-environment node
import { expect, test } from 'vitest';
import { operations as ofContract } from '../../../src/server/http/contract/operations';
import { operations } from '../../../src/web/app/operations';
import { maxInBatch } from '../../../src/web/outbox/sendable';
test('the contract marks what may be in a batch', () => {
  const sent = ofContract.get('sendBatch')?.operation.requestBody?.content?.['application/json']?.schema;
  expect(sent).toMatchObject({ properties: { changes: { maxItems: maxInBatch } } });
  const marked = [...ofContract.values()].filter(({ operation }) => operation['x-batched']);
  const batched = Object.entries(operations).filter(([, { isBatched }]) => isBatched);
  expect(batched.map(([name]) => name)).toEqual(marked.map(({ operation }) => operation.operationId));
});
