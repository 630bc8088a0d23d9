/**
 * Runs the work one run at a time.
 * @returns a function that requests a run; requests during a run cause one more run. Resolves when no run is pending
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isWanted = false;
  const runWhileWanted = async () => {
    while (isWanted) {
      isWanted = false;
      await work();
    }
  };
  return () => {
    isWanted = true;
    running ??= runWhileWanted().finally(() => (running = undefined));
    return running;
  };
}
