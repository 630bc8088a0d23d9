import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

/** What is being moved, and its place if it is left there now. */
interface Moving {
  id: string;
  to: number;
}

const keySteps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Moves a row of a list by its grip: with the pointer, or by Space, the arrow keys and Space again; Escape leaves it
 * where it was.
 * @param onMove is told the row's new place, from 0, once it was let go; `done` lets the rows stand as they came
 */
export function useMoving<Row extends { id: string }>(
  rows: readonly Row[],
  onMove: (row: Row, to: number, done: () => void) => void,
) {
  const [moving, setMoving] = useState<Moving>();
  const isLifted = useRef(false);
  const shown = moving ? placed(rows, moving) : rows;

  const end = (isKept: boolean) => {
    if (!isLifted.current) return;
    isLifted.current = false;
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
      event.currentTarget.setPointerCapture(event.pointerId);
      lift(row);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!isLifted.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
      const to = placeAt(event);
      if (to !== undefined) setMoving({ id: row.id, to });
    },
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
  });
  return { shown, moving, gripOf };
}

const isLiftedRow = ({ id }: Moving, row: { id: string }) => id === row.id;

const placed = <Row extends { id: string }>(rows: readonly Row[], { id, to }: Moving): readonly Row[] => {
  const row = rows.find((each) => each.id === id);
  return row ? rows.filter((each) => each !== row).toSpliced(to, 0, row) : rows;
};

/** @returns the place of the row of the table that the pointer is over */
function placeAt({ currentTarget, clientY }: PointerEvent<HTMLElement>): number | undefined {
  const all = [...(currentTarget.closest('tbody')?.rows ?? [])];
  const boxes = all.map((row) => row.getBoundingClientRect());
  const place = boxes.findIndex(({ bottom }) => clientY < bottom);
  return place === -1 ? all.length - 1 : place;
}
