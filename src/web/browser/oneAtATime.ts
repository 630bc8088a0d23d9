/**
 * Runs the work one run at a time.
 * @returns a function that requests a run; requests during a run cause one more run. Resolves when no run is pending
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isRequested = false;
  const runWhileRequested = async () => {
    while (isRequested) {
      isRequested = false;
      await work();
    }
  };
  return () => {
    isRequested = true;
    running ??= runWhileRequested().finally(() => (running = undefined));
    return running;
  };
}
