/**
 * Adds a listener.
 * @param target undefined where the browser has no such thing: then nothing is heard
 * @param listener names the event that it expects: `listen(window, 'storage', (event: StorageEvent) => …)`
 * @returns how to remove it
 */
export function listen(target: EventTarget | undefined, type: string, listener: (event: never) => void): () => void {
  target?.addEventListener(type, listener as EventListener);
  return () => target?.removeEventListener(type, listener as EventListener);
}

/** @returns how to stop all of them at once */
export const stopAll =
  (...stops: readonly (() => void)[]): (() => void) =>
  () =>
    stops.forEach((stop) => stop());
