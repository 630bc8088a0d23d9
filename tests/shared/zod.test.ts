import { expect, test } from 'vitest';

test('rules generate no code at run time, and do not try to', async () => {
  const made: unknown[] = [];
  const real = globalThis.Function;
  globalThis.Function = new Proxy(real, {
    construct: (...asked) => (made.push(asked[1]), Reflect.construct(...asked)),
  });
  try {
    const { loginForm } = await import('../../src/shared/authForms');
    expect(loginForm.safeParse({ email: '', password: '' }).success).toBe(false);
    expect(loginForm.safeParse({ email: 'cook@example.com', password: 'pepper', rememberMe: true }).success).toBe(true);
  } finally {
    globalThis.Function = real;
  }
  expect(made).toEqual([]);
});
