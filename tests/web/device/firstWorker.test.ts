import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';

/** The browser's report of a waiting worker: no page is asked to accept a first one. */
class FakeWorker extends EventTarget {
  state = 'installing';
  scriptURL = new URL('/sw.js', location.href).href;

  /** Nothing: a browser may keep the active worker for minutes. */
  postMessage = (): void => undefined;

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
  vi.unstubAllGlobals();
  vi.resetModules();
});
afterAll(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

/** A page of the shop in a browser with this worker. */
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

test('a first worker that a busy device keeps waiting is no new version', async () => {
  await open(undefined);
  registration.wait(registration.install());
  await vi.advanceTimersByTimeAsync(1000);
  expect(isOffered()).toBe(false);
});

test('a worker that waits beside the active one is a new version', async () => {
  await open(new FakeWorker());
  registration.wait(registration.install());
  await vi.advanceTimersByTimeAsync(1000);
  expect(isOffered()).toBe(true);
});

/** A page whose user accepts the new version. @returns the requests to the browser, and the messages */
async function take() {
  const reload = vi.fn<() => void>();
  vi.stubGlobal('location', { href: location.href, reload });
  await open(new FakeWorker());
  registration.wait(registration.install());
  const { toast } = await import('../../../src/web/ui/toast');
  const warning = vi.spyOn(toast, 'warning');
  const { newVersion } = await import('../../../src/web/device/serviceWorker');
  await newVersion.activate();
  return { reload, warning };
}

test('a new version that the browser does not activate is reported as late, and the page is not reloaded later', async () => {
  const { reload, warning } = await take();
  await vi.advanceTimersByTimeAsync(9000);
  expect(warning).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(warning).toHaveBeenCalledWith("The update can't start yet. Try again in a few minutes.");
  navigator.serviceWorker.dispatchEvent(new Event('controllerchange'));
  expect(reload).not.toHaveBeenCalled();
  expect(isOffered()).toBe(true);
});

test('a new version that the browser activates reloads the page once, without a message', async () => {
  const { reload, warning } = await take();
  navigator.serviceWorker.dispatchEvent(new Event('controllerchange'));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reload).toHaveBeenCalledOnce();
  expect(warning).not.toHaveBeenCalled();
});
