import { useEffect } from 'react';

/**
 * Leaves the shop for another site's page after a moment.
 * @param url where to; nothing happens while it is undefined
 * @param onReturn called when the browser brings our page back as it was, with its buttons still busy
 */
export function useLeaveFor(url: string | undefined, afterMs: number, onReturn: () => void): void {
  useEffect(() => {
    if (!url) return undefined;
    const timer = setTimeout(() => location.assign(url), afterMs);
    return () => clearTimeout(timer);
  }, [url, afterMs]);

  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && onReturn();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [onReturn]);
}
