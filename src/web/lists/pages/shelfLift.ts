/** A table row on its way to another place. Rows move by CSS alone until it is dropped, so nothing renders meanwhile. */
export interface Lift {
  /** The place that it would get, from 0. */
  place: () => number;
  count: number;
  isDragged: boolean;
  /** Puts it at this place. */
  moveTo: (place: number) => void;
  /** Follows the pointer at this height of the window. */
  dragTo: (y: number) => void;
  /** Puts all rows back. @returns the rows in their new order; undefined if nothing moved */
  end: () => HTMLElement[] | undefined;
}

interface Edges {
  top: number;
  bottom: number;
}

/** Within this distance from the top and bottom of the window, dragging scrolls: a phone has two bars at the bottom. */
const [topZonePx, bottomZonePx] = [110, 190];
const scrollStepPx = 9;

/**
 * Lifts a row of a `<tbody>`, whose CSS shows `data-lifted` and `data-moving`.
 * @param onPlace called with each new place
 * @param pointerY where the pointer was pressed, in the window; without it the keyboard moves the row
 */
export function liftRow(row: HTMLElement, onPlace: (lift: Lift) => void, pointerY?: number): Lift {
  const rows = [...(row.parentElement?.children ?? [])].filter((each) => each instanceof HTMLElement);
  const edges = rows.map(edgesOf);
  const from = rows.indexOf(row);
  const own = edges[from] ?? edgesOf(row);
  const pressedY = pointerY ?? 0;
  const startY = pressedY + window.scrollY;
  let [to, y, frame] = [from, pressedY, 0];

  const lift: Lift = {
    place: () => to,
    count: rows.length,
    isDragged: pointerY !== undefined,
    moveTo(place) {
      const target = edges[place];
      if (!target) return;
      to = place;
      makeRoom(rows, { row, from, to, height: own.bottom - own.top });
      if (!lift.isDragged) shift(row, to > from ? target.bottom - own.bottom : target.top - own.top);
      onPlace(lift);
    },
    dragTo(pointer) {
      y = pointer;
      const moved = y + window.scrollY - startY;
      shift(row, moved);
      const place = placeAt(middleOf(own) + moved, edges, from);
      if (place !== to) lift.moveTo(place);
    },
    end() {
      cancelAnimationFrame(frame);
      row.parentElement?.removeAttribute('data-moving');
      delete row.dataset['lifted'];
      for (const each of rows) shift(each, 0);
      return to === from ? undefined : rows.filter((each) => each !== row).toSpliced(to, 0, row);
    },
  };
  const scroll = () => {
    if (!row.isConnected) return;
    // only towards the edge: a row near it may be pressed to move away
    if (y < Math.min(topZonePx, pressedY)) window.scrollBy(0, -scrollStepPx);
    else if (y > Math.max(window.innerHeight - bottomZonePx, pressedY)) window.scrollBy(0, scrollStepPx);
    lift.dragTo(y);
    frame = requestAnimationFrame(scroll);
  };
  row.dataset['lifted'] = '';
  row.parentElement?.setAttribute('data-moving', '');
  if (lift.isDragged) scroll();
  else onPlace(lift);
  return lift;
}

function edgesOf(row: HTMLElement): Edges {
  const { top, bottom } = row.getBoundingClientRect();
  return { top: top + window.scrollY, bottom: bottom + window.scrollY };
}

const middleOf = ({ top, bottom }: Edges): number => (top + bottom) / 2;

/** @returns the place of a row whose middle is at this height: beyond the middles of the rows that it has passed */
function placeAt(middle: number, edges: readonly Edges[], from: number): number {
  const isPast = (place: number) => middle > middleOf(edges[place] ?? { top: 0, bottom: 0 });
  const above = edges.findIndex((_, place) => place < from && !isPast(place));
  return above >= 0
    ? above
    : Math.max(
        from,
        edges.findLastIndex((_, place) => place > from && isPast(place)),
      );
}

interface Moved {
  row: HTMLElement;
  from: number;
  to: number;
  height: number;
}

function makeRoom(rows: readonly HTMLElement[], { row, from, to, height }: Moved): void {
  for (const [place, each] of rows.entries()) {
    if (each === row) continue;
    if (place > from && place <= to) shift(each, -height);
    else shift(each, place < from && place >= to ? height : 0);
  }
}

const shift = (row: HTMLElement, by: number) => (row.style.transform = by === 0 ? '' : `translateY(${by}px)`);
