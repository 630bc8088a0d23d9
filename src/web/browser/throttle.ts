/**
 * Runs the work immediately, and then at most once per interval: of a burst, the first request runs immediately, and
 * one trailing run covers the rest.
 * @param ms the interval between two runs
 * @returns `ask` requests a run; `stop` cancels a pending one
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
