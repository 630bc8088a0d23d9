/**
 * Runs the work immediately, and then at most once per interval: of a burst, the first request runs immediately, and
 * one trailing run covers the rest.
 * @param ms the interval between two runs
 * @returns `ask` requests a run; `stop` cancels a pending one
 */
export function throttle(ms: number, work: () => void): { request: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRequested = false;
  const run = () => {
    isRequested = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isRequested) run();
    }, ms);
    work();
  };
  return {
    request() {
      isRequested = true;
      if (timer === undefined) run();
    },
    stop: () => void (isRequested = false),
  };
}
