/**
 * Manages the service worker from the page: registers it after the page has loaded and watches for a new version, which
 * waits until the user accepts it. Open pages keep working: their files remain in the active worker's cache and on the
 * server (src/tools/releases.mjs).
 */
import { messageSW, Workbox } from 'workbox-window';
import { isCompleteMessage, skipWaitingMessage, trialCache, workerPath } from '../../shared/deviceNames';
import { installMessages } from '../../shared/install';
import type { WorkerMessage } from '../../shared/worker';
import { listen } from '../browser/listen';
import { isOutOfSpace } from '../browser/storageQuota';
import { createStore, useStore } from '../browser/store';
import { toast } from '../ui/toast';
import { saved } from './saved';

const checkEveryMs = 60 * 60 * 1000;

let workbox: Workbox | undefined;
let isReloading = false;
const isReady = createStore(false);

/** Registers and watches the worker. Without one (an old browser, private mode) the shop works online only. */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || workbox) return;
  followOtherTabs();
  checkRegularly();
  await tryToRegister(0);
}

const maxAttempts = 5;
const firstDelayMs = 2000;

/** The script or one of its files may fail to load: retried while the page is open, and at the next visit. */
async function tryToRegister(failures: number): Promise<void> {
  const retry = () => {
    if (failures < maxAttempts) setTimeout(() => void tryToRegister(failures + 1), firstDelayMs * 2 ** failures);
  };
  let wasActive = false;
  workbox = new Workbox(workerPath);
  workbox.addEventListener('waiting', () => void offerIfNewer());
  workbox.addEventListener('activated', () => (wasActive = true));
  workbox.addEventListener('redundant', ({ isUpdate }) => {
    if (!isUpdate && !wasActive) void notifyIfFull().then((isFull) => isFull || retry());
  });
  try {
    const { active, installing } = (await workbox.register()) ?? {};
    // the browser may have started an update earlier, which Workbox doesn't see
    if (active && installing) listen(installing, 'statechange', () => void offerIfNewer());
  } catch {
    return retry();
  }
  const registration = await navigator.serviceWorker.ready;
  if (!registration.active) return;
  // incomplete: the server disabled its worker (SERVICE_WORKER=off), or the browser evicted its files
  saved.set('worker', await messageSW(registration.active, { type: isCompleteMessage } satisfies WorkerMessage));
  if (!saved.has('worker')) await registration.unregister();
}

/** A waiting worker is a new version only beside an active one: on a busy device the first worker waits briefly too. */
async function offerIfNewer(): Promise<void> {
  const { active, waiting } = (await navigator.serviceWorker.getRegistration()) ?? {};
  if (active && waiting) isReady.set(true);
}

/** The browser stops the active worker only when it is idle: a hanging request may take minutes. */
const timeoutMs = 10_000;

/** Actions for a waiting new version of the app. */
export const newVersion = {
  /** Activates it and reloads the page; unsent changes are safe in the outbox, and the URL stays. */
  activate: async (): Promise<void> => {
    isReloading = true;
    const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const { waiting } = (await worker?.getRegistration()) ?? {};
    if (!waiting) return location.reload(); // another tab activated it already
    const stopWaiting = listen(worker, 'controllerchange', () => {
      clearTimeout(tooLate);
      location.reload();
    });
    const tooLate = setTimeout(() => {
      stopWaiting(); // no unexpected reload later
      isReloading = false;
      toast.warning(installMessages.notYet);
    }, timeoutMs);
    void messageSW(waiting, { type: skipWaitingMessage } satisfies WorkerMessage);
  },

  /** Not now: it is offered again when the shop is next opened, or activated once no page of it is open. */
  postpone: (): void => isReady.set(false),
};

export const useIsVersionReady = (): boolean => useStore(isReady, false);

/** When another tab activates the new version, this tab still runs the old one and offers a reload too. */
function followOtherTabs(): void {
  let hadController = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hadController && !isReloading) isReady.set(true);
    hadController = true;
  });
}

/** The browser checks for a new version when a page is opened; a tab may stay open for days. */
function checkRegularly(): void {
  let checkedAt = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - checkedAt < checkEveryMs) return;
    checkedAt = performance.now();
    workbox?.update().catch(() => undefined); // offline
  });
}

const appBytes = 2_000_000;

/**
 * The worker failed to get its files: if the device is full, the user can do something about it. A trial write is the
 * only way to know, because browsers blur their storage estimates for privacy.
 * @returns whether the device is full
 */
async function notifyIfFull(): Promise<boolean> {
  try {
    const trial = await caches.open(trialCache);
    await trial.put('/trial', new Response(new Uint8Array(appBytes)));
    return false;
  } catch (error) {
    if (isOutOfSpace(error)) toast.warning(installMessages.noSpace);
    return isOutOfSpace(error);
  } finally {
    await caches.delete(trialCache).catch(() => undefined);
  }
}
