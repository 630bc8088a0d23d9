import { useEffect, useRef } from 'react';
import type { PadKey } from '../../shared/kitchen';
import { listen } from '../browser/listen';
import type { Counting } from './useCounting';

/** The whole keyboard counts: digits, point, Backspace, arrows, Enter; Ctrl or Cmd with Z takes back. */
export function useCountKeys(counting: Counting): void {
  const latest = useRef(counting);
  useEffect(() => {
    latest.current = counting;
  });
  useEffect(
    () =>
      listen(window, 'keydown', (event: KeyboardEvent) => {
        const act = actionOf(event, latest.current);
        if (!act) return;
        event.preventDefault();
        act();
      }),
    [],
  );
}

function actionOf(event: KeyboardEvent, counting: Counting): (() => unknown) | undefined {
  const { key, target } = event;
  if ((event.ctrlKey || event.metaKey) && key === 'z') return counting.undo;
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const digit = key === ',' ? '.' : key;
  if (/^[\d.]$/.test(digit)) return () => counting.press(digit as PadKey);
  // a button that has the focus is pressed by Enter itself
  if (key === 'Enter') return target instanceof HTMLButtonElement ? undefined : counting.next;
  const actions: Record<string, () => unknown> = {
    Backspace: () => counting.press('erase'),
    ArrowUp: () => counting.step(1),
    ArrowDown: () => counting.step(-1),
    ArrowLeft: counting.previous,
    ArrowRight: counting.next,
  };
  return actions[key];
}
