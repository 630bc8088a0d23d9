import { expect, test } from 'vitest';
import { landingPage, ownPath } from '../../src/shared/auth';

test.each(['/cart', '/', '/customer/orders?page=2', '/products/spices#top'])('a login may lead on to %s', (path) => {
  expect(ownPath(path)).toBe(path);
});

test.each([
  undefined,
  7,
  '',
  'cart',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/cart\\..\\evil',
  'https://evil.example/cart',
  'javascript:alert(1)',
  '/login',
  '/login?redirect=/cart',
  '/register#x',
])('a login never leads to %j', (path) => {
  expect(ownPath(path)).toBeUndefined();
});

test('a page whose name only begins like the login is one of ours', () => {
  expect(ownPath('/login-help')).toBe('/login-help');
});

test('a customer lands on the cart, staff on the dashboard', () => {
  expect(landingPage('ROLE_CUSTOMER')).toBe('/cart');
  expect(landingPage('ROLE_ADMIN')).toBe('/dashboard');
  expect(landingPage('ROLE_OWNER')).toBe('/dashboard');
});
