import { expect, test } from 'vitest';
import { testProviderUrl } from '../../../src/server/payments/start';

test.each([
  ['http://localhost:3000', 'http://127.0.0.1:3001'],
  ['http://127.0.0.1:3000', 'http://localhost:3001'],
  ['http://[::1]:3000', 'http://localhost:3001'],
  ['https://localhost:8443', 'http://127.0.0.1:3001'], // TLS by a proxy that serves the shop alone
  ['https://shop.example', 'https://shop.example:3001'],
])('for the shop at %s the test provider is at %s', (publicUrl, expected) => {
  expect(testProviderUrl(new URL(publicUrl), 3001)).toBe(expected);
});
