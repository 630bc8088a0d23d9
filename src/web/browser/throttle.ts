/**
 * Does work at once, and again at most so often: of a burst the first is heard at once, and the last for all after it.
 * @param ms between two runs
 * @returns asks for a run; and, as `stop`, how to drop one that has not begun
 */
export function throttle(ms: number, work: () => void): { ask: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;
  const run = () => {
    isWanted = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isWanted) run();
    }, ms);
    work();
  };
  return {
    ask() {
      isWanted = true;
      if (timer === undefined) run();
    },
    stop: () => void (isWanted = false),
  };
}
