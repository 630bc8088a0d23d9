import { type TouchEvent, useRef } from 'react';

const minSwipePx = 48;

/** Closes a sheet that is swiped down, unless its content is being scrolled. */
export function useSwipeDown(close: () => void) {
  const start = useRef<number>(undefined);
  return {
    onTouchStart: ({ currentTarget, touches }: TouchEvent<HTMLElement>) => {
      start.current = currentTarget.scrollTop > 0 ? undefined : touches[0]?.clientY;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent<HTMLElement>) => {
      const end = changedTouches[0]?.clientY ?? 0;
      if (start.current !== undefined && end - start.current > minSwipePx) close();
    },
  };
}
