import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';

/** What the browser says of a worker that waits: no page is asked to take a first one. */
class FakeWorker extends EventTarget {
  state = 'installing';
  scriptURL = new URL('/sw.js', location.href).href;

  become(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

class FakeRegistration extends EventTarget {
  installing: FakeWorker | undefined;
  waiting: FakeWorker | undefined;
  active: FakeWorker | undefined;
  unregister = () => Promise.resolve(true);

  install(): FakeWorker {
    this.installing = new FakeWorker();
    this.dispatchEvent(new Event('updatefound'));
    return this.installing;
  }

  wait(worker: FakeWorker): void {
    [this.installing, this.waiting] = [undefined, worker];
    worker.become('installed');
  }
}

let registration: FakeRegistration;
let root: Root;
let place: HTMLElement;
const isOffered = () => place.textContent === 'offered';
beforeAll(() => void vi.useFakeTimers());
afterEach(() => {
  root.unmount();
  vi.resetModules();
});
afterAll(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

/** A page of the shop in a browser whose shop has this worker. */
async function open(active: FakeWorker | undefined): Promise<void> {
  registration = new FakeRegistration();
  registration.active = active;
  const container = Object.assign(new EventTarget(), {
    controller: active ?? null,
    register: () => Promise.resolve(registration),
    getRegistration: () => Promise.resolve(registration),
    ready: new Promise(() => undefined),
  });
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: container });
  const { registerServiceWorker, useIsVersionReady } = await import('../../../src/web/device/serviceWorker');
  const Offer = () => (useIsVersionReady() ? 'offered' : 'not offered');
  place = document.createElement('div');
  root = createRoot(place);
  root.render(createElement(Offer));
  void registerServiceWorker();
  await vi.advanceTimersByTimeAsync(10);
}

test('a first worker that a busy device lets wait is no new version', async () => {
  await open(undefined);
  registration.wait(registration.install());
  await vi.advanceTimersByTimeAsync(1000);
  expect(isOffered()).toBe(false);
});

test('a worker that waits beside the one in use is a new version', async () => {
  await open(new FakeWorker());
  registration.wait(registration.install());
  await vi.advanceTimersByTimeAsync(1000);
  expect(isOffered()).toBe(true);
});
