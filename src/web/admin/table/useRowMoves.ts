import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

/** The row being moved, and its index if it is dropped now. */
interface Moving {
  id: string;
  to: number;
}

const keySteps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Moves a row of a list by its grip: with the pointer, or with Space, the arrow keys and Space again; Escape cancels.
 * @param onMove gets the row's new index, from 0, after the drop; call `done` to show the rows in their given order
 * again
 */
export function useRowMoves<Row extends { id: string }>(
  rows: readonly Row[],
  onMove: (row: Row, to: number, done: () => void) => void,
) {
  const [moving, setMoving] = useState<Moving>();
  const isLifted = useRef(false);
  /** The rows' parent element while a pointer holds one of them. */
  const heldBody = useRef<HTMLTableSectionElement>(null);
  const shown = moving ? reordered(rows, moving) : rows;

  const end = (isKept: boolean) => {
    if (!isLifted.current) return;
    isLifted.current = false;
    heldBody.current = null;
    const row = rows.find(({ id }) => id === moving?.id);
    if (!moving || !row || !isKept || rows.indexOf(row) === moving.to) return setMoving(undefined);
    onMove(row, moving.to, () => setMoving(undefined));
  };
  const lift = (row: Row) => {
    isLifted.current = true;
    setMoving({ id: row.id, to: shown.indexOf(row) });
  };
  const step = (by: number) =>
    setMoving((now) => now && { ...now, to: Math.max(0, Math.min(rows.length - 1, now.to + by)) });

  // listens on the window: an element that is moved among its siblings stops receiving pointer events
  useEffect(() => {
    const { current: body } = heldBody;
    if (!moving || !body) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('pointermove', ({ clientY }) => setMoving({ ...moving, to: indexAt(body, clientY) }), {
      signal,
    });
    window.addEventListener('pointerup', () => end(true), { signal });
    window.addEventListener('pointercancel', () => end(false), { signal });
    return () => listening.abort();
  });

  const gripOf = (row: Row) => ({
    'aria-pressed': moving?.id === row.id && isLiftedRow(moving, row),
    onKeyDown: (event: KeyboardEvent) => {
      const by = keySteps[event.key];
      if (event.key === ' ' || event.key === 'Enter') {
        event.preventDefault();
        if (isLifted.current) end(true);
        else lift(row);
      } else if (isLifted.current && by !== undefined) {
        event.preventDefault();
        step(by);
      } else if (isLifted.current && event.key === 'Escape') end(false);
    },
    onBlur: () => end(false),
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      heldBody.current = event.currentTarget.closest('tbody');
      lift(row);
    },
  });
  return { shown, moving, gripOf };
}

const isLiftedRow = ({ id }: Moving, row: { id: string }) => id === row.id;

const reordered = <Row extends { id: string }>(rows: readonly Row[], { id, to }: Moving): readonly Row[] => {
  const row = rows.find((each) => each.id === id);
  return row ? rows.filter((each) => each !== row).toSpliced(to, 0, row) : rows;
};

/** @returns the index of the row under the pointer */
function indexAt({ rows }: HTMLTableSectionElement, clientY: number): number {
  const place = [...rows].findIndex((row) => clientY < row.getBoundingClientRect().bottom);
  return place === -1 ? rows.length - 1 : place;
}
