/**
 * Adds a listener.
 * @param target undefined where the browser lacks the object; then nothing happens
 * @param listener declares its event type: `listen(window, 'storage', (event: StorageEvent) => …)`
 * @param captures listens in the capture phase, which includes events that don't bubble
 * @returns a function that removes it
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

/** @returns a function that calls all of them */
export const stopAll =
  (...stops: readonly (() => void)[]): (() => void) =>
  () =>
    stops.forEach((stop) => stop());
