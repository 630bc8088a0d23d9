/**
 * Has work done one run at a time.
 * @returns asks for a run; asked while one is under way, another follows it. Fulfilled when nothing is wanted any more
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
