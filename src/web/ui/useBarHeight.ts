import { useEffect, useState } from 'react';
import { listen, stopAll } from '../browser/listen';

/**
 * The height that bars take at the lower edge of the screen, to place toasts above them. A bar has `data-bar`.
 * @param isNeeded bars are followed only while it is
 * @returns in px
 */
export function useBarHeight(isNeeded: boolean): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const measure = () => setHeight(heightOfBars());
    const observer = new MutationObserver(measure);
    observer.observe(document.body, { childList: true, subtree: true });
    measure();
    return stopAll(() => observer.disconnect(), listen(window, 'resize', measure));
  }, [isNeeded]);
  return height;
}

function heightOfBars(): number {
  const bars = [...document.querySelectorAll('[data-bar]')].filter(
    (bar) => getComputedStyle(bar).position === 'fixed' && bar.getBoundingClientRect().height > 0,
  );
  const { clientHeight } = document.documentElement;
  return Math.max(0, ...bars.map((bar) => clientHeight - bar.getBoundingClientRect().top));
}
