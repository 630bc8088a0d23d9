import { createStore, useStore } from '../browser/store';

/**
 * Whether the shop can be reached: what its own API answered last (send.ts). The browser's `navigator.onLine` is no more
 * than a reason to ask. Rule: docs/rules/offline.md, Reachability
 */
const probeTimeoutMs = 2000;
/** An answer so fresh needs no probe: who presses plus again and again waits for no second request each time. */
const freshMs = 5000;

const online = createStore(true);
let answeredAt = 0;
let asking: Promise<boolean> | undefined;
let ask = (_signal: AbortSignal): Promise<unknown> => Promise.resolve();

export const reachability = {
  isOnline: online.get,

  subscribe: online.subscribe,

  /** Asks the API once, for 2 seconds at most. @returns whether it answered */
  probe: (): Promise<boolean> => (asking ??= askOnce()),

  /** Before something is sent. @returns whether the API answers; asks it, unless it has just answered something else */
  confirm: async (): Promise<boolean> => (online.get() && Date.now() - answeredAt < freshMs) || reachability.probe(),

  /** Notes that our API answered a call, with a refusal or not. */
  sawAnswer: () => {
    answeredAt = Date.now();
    online.set(true);
  },

  /** @param call a GET of our API; throws when what answers is not our API */
  askWith: (call: (signal: AbortSignal) => Promise<unknown>): void => void (ask = call),
};

async function askOnce(): Promise<boolean> {
  const answer = ask(AbortSignal.timeout(probeTimeoutMs));
  const isAnswered = await answer.then(() => true).catch(() => false);
  asking = undefined;
  online.set(isAnswered);
  return isAnswered;
}

/** @returns whether the shop can be reached, as far as is known; true on the server */
export const useIsOnline = (): boolean => useStore(online, true);
