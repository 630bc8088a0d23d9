/**
 * Whether the shop can be reached: what its own API answered last. The browser's `navigator.onLine` is no more than a
 * reason to ask; a café's login page that answers every call with HTML is no connection. Nothing is asked in a loop:
 * after a call without an answer, when the window comes to the front, and before what waits is sent.
 * Source: decisions §6
 */
const probeTimeoutMs = 2000;
/** An answer so fresh needs no probe: who presses plus again and again waits for no second request each time. */
const freshMs = 5000;

let online = true;
let answeredAt = 0;
let asking: Promise<boolean> | undefined;
let ask = (_signal: AbortSignal): Promise<unknown> => Promise.resolve();
const listeners = new Set<() => void>();

export const reachability = {
  isOnline: () => online,

  /** @returns how to stop listening */
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },

  /** Asks the API once, for 2 seconds at most. @returns whether it answered */
  probe: (): Promise<boolean> => {
    asking ??= ask(AbortSignal.timeout(probeTimeoutMs))
      .then(
        () => true,
        () => false,
      )
      .then((answered) => {
        asking = undefined;
        set(answered);
        return answered;
      });
    return asking;
  },

  /** Before something is sent. @returns whether the API answers; asks it, unless it has just answered something else */
  confirm: async (): Promise<boolean> => (online && Date.now() - answeredAt < freshMs) || reachability.probe(),

  /** Our API answered a call, whatever it said. */
  sawAnswer: () => {
    answeredAt = Date.now();
    set(true);
  },

  /** A call got no answer of ours: asks once more to be sure. */
  sawFailure: () => void reachability.probe(),

  /** @param call a GET of our API; throws when what answers is not our API */
  askWith: (call: (signal: AbortSignal) => Promise<unknown>): void => {
    ask = call;
  },
};

function set(next: boolean): void {
  if (next === online) return;
  online = next;
  for (const notify of listeners) notify();
}

/** Asks when there is reason to. @returns how to stop */
export function watchReachability(): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') void reachability.probe();
  };
  if (!navigator.onLine) look();
  const stops = ['online', 'offline', 'focus'].map((type) => listen(window, type, look));
  return () => stops.forEach((stop) => stop());
}

function listen(target: EventTarget, type: string, listener: () => void): () => void {
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}
