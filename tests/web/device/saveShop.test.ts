import { afterEach, expect, test, vi } from 'vitest';
import { saveShop } from '../../../src/web/device/saveShop';

afterEach(() => {
  Reflect.deleteProperty(navigator, 'standalone');
  Reflect.deleteProperty(navigator, 'storage');
});

/** A browser with this `navigator.standalone`, which only Safari has. @returns how often persistence was requested */
function openIn(standalone: boolean | undefined, wasPersisted = false) {
  const persist = vi.fn(async () => true);
  const persisted = vi.fn(async () => wasPersisted);
  Object.defineProperty(navigator, 'storage', { value: { persist, persisted }, configurable: true });
  if (standalone !== undefined) Object.assign(navigator, { standalone });
  saveShop();
  return { persist, persisted };
}

test('an app on the Home Screen asks the browser for persistent storage', async () => {
  const { persist } = openIn(true);
  await expect.poll(() => persist.mock.calls.length).toBe(1);
});

test('it does not ask again for what it has', async () => {
  const { persist, persisted } = openIn(true, true);
  await expect.poll(() => persisted.mock.calls.length).toBe(1);
  await Promise.resolve();
  expect(persist).not.toHaveBeenCalled();
});

test.each([false, undefined])('a page of a browser does not ask: standalone is %s', (standalone) => {
  const { persisted } = openIn(standalone);
  expect(persisted).not.toHaveBeenCalled();
});
