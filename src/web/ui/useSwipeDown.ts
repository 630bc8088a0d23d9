import { type TouchEvent, useRef } from 'react';

const enoughPx = 48;

/** Closes a sheet that a finger pulls down, unless the finger only scrolls what is in it. */
export function useSwipeDown(close: () => void) {
  const start = useRef<number>(undefined);
  return {
    onTouchStart: ({ currentTarget, touches }: TouchEvent<HTMLElement>) => {
      start.current = currentTarget.scrollTop > 0 ? undefined : touches[0]?.clientY;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent<HTMLElement>) => {
      const end = changedTouches[0]?.clientY ?? 0;
      if (start.current !== undefined && end - start.current > enoughPx) close();
    },
  };
}
