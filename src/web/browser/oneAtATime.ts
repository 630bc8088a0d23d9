/**
 * Runs the work one run at a time.
 * @returns a function that requests a run; requests during a run cause one more run. Resolves when no run is pending
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isRequested = false;
  const runWhileRequested = async () => {
    try {
      while (isRequested) {
        isRequested = false;
        await work();
      }
    } finally {
      running = undefined; // in the same step as the last look: a request in between would be forgotten
    }
  };
  return () => {
    isRequested = true;
    running ??= runWhileRequested();
    return running;
  };
}
