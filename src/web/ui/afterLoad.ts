import { useEffect, useState } from 'react';

const idleAtLatestMs = 2000;

/** Calls `act` when the page has loaded all it shows and the browser has nothing better to do. */
export function afterLoad(act: () => void): void {
  if (document.readyState === 'complete') whenIdle(act);
  else window.addEventListener('load', () => whenIdle(act), { once: true });
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: idleAtLatestMs });
  else setTimeout(act, 200); // Safari
}

/**
 * What no first view needs.
 * @param load imports it; the same function at every call
 * @returns undefined until it is here; where it cannot be had, the page does without
 */
export function useAfterLoad<Module extends object>(load: () => Promise<Module>): Module | undefined {
  const [module, setModule] = useState<Module>();
  useEffect(() => {
    let isWanted = true;
    const keep = (loaded: Module) => {
      if (isWanted) setModule(loaded);
    };
    afterLoad(() => void (isWanted && load().then(keep, () => undefined)));
    return () => {
      isWanted = false;
    };
  }, [load]);
  return module;
}
