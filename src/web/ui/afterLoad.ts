import { useEffect, useState } from 'react';

const idleTimeoutMs = 2000;

/** Calls `act` when the page has fully loaded and the browser is idle. */
export function afterLoad(act: () => void): void {
  if (document.readyState === 'complete') whenIdle(act);
  else window.addEventListener('load', () => whenIdle(act), { once: true });
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: idleTimeoutMs });
  else setTimeout(act, 200); // Safari
}

/**
 * While a module loads, browsers may settle a second `import()` of it before the first.
 * @param load imports the module
 * @returns settles its callers in their order; loads again after a failure
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}

/**
 * A module that the first view doesn't need.
 * @param load imports it; must be the same function on every call
 * @returns undefined until it is loaded; if loading fails, the page does without it until it is back online
 */
export function useAfterLoad<Module extends object>(load: () => Promise<Module>): Module | undefined {
  const [module, setModule] = useState<Module>();
  useEffect(() => {
    let isMounted = true;
    const setIfMounted = (loaded: Module) => {
      if (isMounted) setModule(loaded);
    };
    const start = () => void (isMounted && load().then(setIfMounted, () => undefined));
    afterLoad(start);
    window.addEventListener('online', start);
    return () => {
      isMounted = false;
      window.removeEventListener('online', start);
    };
  }, [load]);
  return module;
}
