import { useEffect } from 'react';

/** By it a page that the server drew learns that the app has taken it over (see `startCode` in pageTags.ts). */
export const aliveEvent = 'shop-alive';

export function useAliveEvent(): void {
  useEffect(() => {
    // not from within React's own work: what is pressed again has it take over, at once, the part that was pressed
    const timer = setTimeout(() => window.dispatchEvent(new Event(aliveEvent)));
    return () => clearTimeout(timer);
  }, []);
}
