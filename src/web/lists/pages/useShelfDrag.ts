import { type FocusEvent, type KeyboardEvent, type MouseEvent, type PointerEvent, useRef } from 'react';
import { type Lift, liftRow } from './shelfLift';

interface Props {
  /** Announces 'Cayenne, place 5 of 12' to screen readers. */
  onPlace: (productId: string, place: number, count: number) => void;
  /** Called once with the products in their new order. */
  onDrop: (productIds: readonly string[]) => void;
}

/** A pointer that moves less than this still presses the button. */
const slackPx = 5;

/**
 * Moves table rows by their grips (`data-grip`): dragged with a finger or a mouse, or lifted with Space and moved with
 * the arrows. Rows name their product as `data-product`.
 * @returns handlers for the `<tbody>`
 */
export function useShelfDrag({ onPlace, onDrop }: Props) {
  const lifted = useRef<Lift>(undefined);
  const pressed = useRef<{ row: HTMLElement; pointerId: number; y: number }>(undefined);
  const wasDragged = useRef(false);

  const start = (row: HTMLElement, pointerY?: number) => {
    const say = ({ place, count }: Lift) => onPlace(idOf(row), place(), count);
    lifted.current = liftRow(row, say, pointerY);
  };
  const end = (isDropped: boolean) => {
    const rows = lifted.current?.end();
    lifted.current = undefined;
    if (rows && isDropped) onDrop(rows.map(idOf));
  };
  const endDrag = (isDropped: boolean) => {
    pressed.current = undefined;
    if (lifted.current?.isDragged) end(isDropped);
  };

  return {
    onPointerDownCapture({ target, button, isPrimary, pointerId, clientY }: PointerEvent) {
      wasDragged.current = false;
      const grip = gripOf(target);
      const row = grip?.closest('tr');
      if (!row || button !== 0 || !isPrimary) return;
      end(true);
      pressed.current = { row, pointerId, y: clientY };
      grip?.setPointerCapture(pointerId);
    },
    onPointerMoveCapture({ pointerId, clientY }: PointerEvent) {
      const { current } = pressed;
      if (current?.pointerId !== pointerId) return;
      if (lifted.current) return lifted.current.dragTo(clientY);
      if (Math.abs(clientY - current.y) < slackPx) return;
      wasDragged.current = true;
      start(current.row, current.y);
    },
    onPointerUpCapture: () => endDrag(true),
    onPointerCancelCapture: () => endDrag(false),
    /** The click that ends a drag must not open the row's menu. */
    onClickCapture(event: MouseEvent) {
      if (!wasDragged.current || !gripOf(event.target)) return;
      wasDragged.current = false;
      stop(event);
    },
    onKeyDownCapture(event: KeyboardEvent) {
      const row = gripOf(event.target)?.closest('tr');
      const { current } = lifted;
      if (!row || (!current && event.key !== ' ')) return; // Enter opens the row's menu
      const place = current && placeAfter(event.key, current);
      if (!current) start(row);
      else if (place !== undefined) current.moveTo(place);
      else if (event.key === 'Escape') end(false);
      else if (event.key === ' ' || event.key === 'Enter') end(true);
      else return;
      stop(event);
      row.scrollIntoView({ block: 'nearest' });
    },
    onKeyUpCapture(event: KeyboardEvent) {
      if (event.key === ' ' && gripOf(event.target)) event.preventDefault(); // Firefox would press the button
    },
    onBlurCapture({ target }: FocusEvent) {
      if (lifted.current && !lifted.current.isDragged && gripOf(target)) end(true);
    },
  };
}

/** @returns where a key moves a lifted row; undefined for another key */
function placeAfter(key: string, { place, count }: Lift): number | undefined {
  return { ArrowUp: Math.max(0, place() - 1), ArrowDown: Math.min(count - 1, place() + 1), Home: 0, End: count - 1 }[
    key
  ];
}

const gripOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-grip] button') : null;

const idOf = (row: HTMLElement): string => row.dataset['product'] ?? '';

function stop(event: MouseEvent | KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
