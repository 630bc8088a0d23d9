import { type PointerEvent, useRef } from 'react';

const enoughPx = 48;

/** A horizontal swipe; vertical movement scrolls. */
export function useSwipe({ onLeft, onRight }: { onLeft: () => unknown; onRight: () => unknown }) {
  const start = useRef<{ x: number; y: number }>(undefined);
  return {
    onPointerDown: ({ isPrimary, clientX: x, clientY: y }: PointerEvent) => {
      start.current = isPrimary ? { x, y } : undefined;
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      const { x, y } = start.current ?? { x: clientX, y: clientY };
      start.current = undefined;
      const [across, along] = [clientX - x, clientY - y];
      if (Math.abs(across) < enoughPx || Math.abs(across) < 2 * Math.abs(along)) return;
      if (across < 0) onLeft();
      else onRight();
    },
    onPointerCancel: () => {
      start.current = undefined;
    },
  };
}
