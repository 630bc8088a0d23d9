/**
 * Adds a listener.
 * @param target undefined where the browser has no such thing: then nothing is heard
 * @param listener names the event that it expects: `listen(window, 'storage', (event: StorageEvent) => …)`
 * @param captures hears also what does not bubble, of all that is within the target
 * @returns how to remove it
 */
export function listen(
  target: EventTarget | undefined,
  type: string,
  listener: (event: never) => void,
  captures = false,
): () => void {
  target?.addEventListener(type, listener as EventListener, captures);
  return () => target?.removeEventListener(type, listener as EventListener, captures);
}

/** @returns how to stop all of them at once */
export const stopAll =
  (...stops: readonly (() => void)[]): (() => void) =>
  () =>
    stops.forEach((stop) => stop());
