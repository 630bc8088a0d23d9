/**
 * The service worker as the pages see it: registered once the page has loaded, watched for a new version, which waits
 * until the user asks for it. Pages that are open meanwhile keep working: their files stay in the waiting version's
 * predecessor, and on the server (src/tools/releases.mjs).
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

/** Registers the worker and follows it. Without one (an old browser, private mode) the shop works with a connection. */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || workbox) return;
  followOtherTabs();
  checkNowAndThen();
  await tryToRegister(0);
}

const mostTries = 5;
const firstPauseMs = 2000;

/** Its script or one of its files may not come through: it is tried again while the page is open, and at the next visit. */
async function tryToRegister(failures: number): Promise<void> {
  const again = () => {
    if (failures < mostTries) setTimeout(() => void tryToRegister(failures + 1), firstPauseMs * 2 ** failures);
  };
  let wasActive = false;
  workbox = new Workbox(workerPath);
  workbox.addEventListener('waiting', () => void offerIfNewer());
  workbox.addEventListener('activated', () => (wasActive = true));
  workbox.addEventListener('redundant', ({ isUpdate }) => {
    if (!isUpdate && !wasActive) void notifyIfFull().then((isFull) => isFull || again());
  });
  try {
    const { active, installing } = (await workbox.register()) ?? {};
    // the browser may have begun an update before this: Workbox sees only what begins later
    if (active && installing) listen(installing, 'statechange', () => void offerIfNewer());
  } catch {
    return again();
  }
  const registration = await navigator.serviceWorker.ready;
  if (!registration.active) return;
  // not complete: the shop's server switched its worker off (SERVICE_WORKER=off), or the browser took its files away
  saved.set('worker', await messageSW(registration.active, { type: isCompleteMessage } satisfies WorkerMessage));
  if (!saved.has('worker')) await registration.unregister();
}

/** A worker that waits is a new version beside one in use only: a busy device lets the first one wait for a moment, too. */
async function offerIfNewer(): Promise<void> {
  const { active, waiting } = (await navigator.serviceWorker.getRegistration()) ?? {};
  if (active && waiting) isReady.set(true);
}

/** A browser ends the worker in use only when that has nothing to do: a request that hangs may take minutes. */
const patienceMs = 10_000;

/** What can be done with a new version of the app that waits. */
export const newVersion = {
  /** Takes it, in a fresh page; what is unsent waits in the outbox, and the address stays. */
  take: async (): Promise<void> => {
    isReloading = true;
    const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const { waiting } = (await worker?.getRegistration()) ?? {};
    if (!waiting) return location.reload(); // another tab took it already
    const stopWaiting = listen(worker, 'controllerchange', () => {
      clearTimeout(tooLate);
      location.reload();
    });
    const tooLate = setTimeout(() => {
      stopWaiting(); // no reload later on, when nobody thinks of it any more
      isReloading = false;
      toast.warning(installMessages.notYet);
    }, patienceMs);
    void messageSW(waiting, { type: skipWaitingMessage } satisfies WorkerMessage);
  },

  /** Not now: it is offered again when the shop is opened the next time, or taken when no page of it is open. */
  postpone: (): void => isReady.set(false),
};

export const useIsVersionReady = (): boolean => useStore(isReady, false);

/** Another tab took the new version: this one still runs the old, and asks in its turn. */
function followOtherTabs(): void {
  let hadController = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hadController && !isReloading) isReady.set(true);
    hadController = true;
  });
}

/** The browser itself looks for a new version when a page is opened; a tab may stay open for days. */
function checkNowAndThen(): void {
  let checkedAt = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - checkedAt < checkEveryMs) return;
    checkedAt = performance.now();
    workbox?.update().catch(() => undefined); // there is no connection
  });
}

const appBytes = 2_000_000;

/**
 * The worker did not get its files: when the device has no room for them, the user can do something about it. Trying is
 * the only way to know: what browsers say of their room is a guess, to tell pages nothing about the device.
 * @returns whether that is why
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
