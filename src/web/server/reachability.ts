import { createStore, useStore } from '../browser/store';

/**
 * Whether the shop is reachable, judged by the last response of our own API (send.ts). The browser's `navigator.onLine`
 * only triggers a probe. Rule: docs/rules/offline.md, Reachability
 */
const probeTimeoutMs = 2000;
/** After such a recent response no probe is needed: repeated clicks on plus don't each wait for a second request. */
const freshMs = 5000;

const online = createStore(true);
let answeredAt = 0;
let probing: Promise<boolean> | undefined;
let callApi = (_signal: AbortSignal): Promise<unknown> => Promise.resolve();

export const reachability = {
  isOnline: online.get,

  subscribe: online.subscribe,

  /** Probes the API once, for at most 2 seconds. @returns whether it responded */
  probe: (): Promise<boolean> => (probing ??= probeOnce()),

  /** Call before sending. @returns whether the API responds; probes it unless it has just answered another call */
  confirm: async (): Promise<boolean> => (online.get() && Date.now() - answeredAt < freshMs) || reachability.probe(),

  /** Records that our API responded, with an error or not. */
  noteAnswer: () => {
    answeredAt = Date.now();
    online.set(true);
  },

  /** @param call a GET of our API; throws when something else responds */
  probeWith: (call: (signal: AbortSignal) => Promise<unknown>): void => void (callApi = call),
};

async function probeOnce(): Promise<boolean> {
  const answer = callApi(AbortSignal.timeout(probeTimeoutMs));
  const isAnswered = await answer.then(() => true).catch(() => false);
  probing = undefined;
  online.set(isAnswered);
  return isAnswered;
}

/** @returns whether the shop is reachable, as far as known; true on the server */
export const useIsOnline = (): boolean => useStore(online, true);
