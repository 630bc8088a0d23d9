import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

const keySteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * Moves tiles of a grid by their grips: dragged with a finger or a mouse, or with the arrow keys.
 * @param onMove gets the tile's new place, from 0
 */
export function useTileMoves(entries: readonly { key: string }[], onMove: (key: string, to: number) => void) {
  const tiles = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<string>();
  const [isDragged, setDragged] = useState(false);
  const focusedGrip = useRef<string>(undefined);
  const placeOf = (key: string) => entries.findIndex((entry) => entry.key === key);
  // a moved element loses the focus
  useLayoutEffect(() => {
    const grip = focusedGrip.current === undefined ? undefined : gripIn(tiles.current, placeOf(focusedGrip.current));
    focusedGrip.current = undefined;
    grip?.focus();
  });
  // listens on the window: an element that is moved among its siblings stops receiving pointer events
  useEffect(() => {
    if (!isDragged || moved === undefined) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    const follow = ({ clientX, clientY }: globalThis.PointerEvent) => {
      const to = placeAt(tiles.current, clientX, clientY);
      if (to >= 0 && to !== placeOf(moved)) onMove(moved, to);
    };
    const end = () => {
      setDragged(false);
      setMoved(undefined);
    };
    window.addEventListener('pointermove', follow, { signal });
    for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, end, { signal });
    return () => listening.abort();
  });
  const gripOf = (key: string) => ({
    onKeyDown: (event: KeyboardEvent) => {
      const step = keySteps[event.key];
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      focusedGrip.current = key;
      setMoved(key);
      onMove(key, placeOf(key) + step);
    },
    onBlur: () => !isDragged && focusedGrip.current === undefined && setMoved(undefined),
    onPointerDown: ({ button }: PointerEvent) => {
      if (button !== 0) return;
      setMoved(key);
      setDragged(true);
    },
  });
  return { tiles, moved, gripOf };
}

const gripIn = (tiles: HTMLElement | null, place: number) =>
  tiles?.children[place]?.querySelector<HTMLElement>('[aria-label^="Move"]');

/** @returns the place of the tile under the pointer; -1 between tiles */
function placeAt(tiles: HTMLElement | null, x: number, y: number): number {
  return [...(tiles?.children ?? [])].findIndex((tile) => {
    const { left, right, top, bottom } = tile.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  });
}
