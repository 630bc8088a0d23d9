import { useEffect, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { PadKey } from '../../../shared/listPages';
import { listen } from '../../browser/listen';
import type { Counting } from './useCounting';

/** The whole keyboard counts: digits, point, Backspace, arrows, Enter; Ctrl+Z or Cmd+Z undoes. */
export function useCountKeys(counting: Counting): void {
  const latest = useRef(counting);
  useLayoutEffect(() => {
    latest.current = counting;
  });
  useEffect(
    () =>
      listen(window, 'keydown', (event: KeyboardEvent) => {
        const act = actionOf(event, latest.current);
        if (!act) return;
        event.preventDefault();
        flushSync(act); // the next key may come before the page renders
      }),
    [],
  );
}

function actionOf(event: KeyboardEvent, counting: Counting): (() => void) | undefined {
  const { key, target } = event;
  if ((event.ctrlKey || event.metaKey) && key === 'z') return counting.undo;
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const digit = key === ',' ? '.' : key;
  if (/^[\d.]$/.test(digit)) return () => counting.press(digit as PadKey);
  // Enter already presses a focused button
  if (key === 'Enter') return target instanceof HTMLButtonElement ? undefined : counting.next;
  const actions: Record<string, () => void> = {
    Backspace: () => counting.press('erase'),
    ArrowUp: () => counting.step(1),
    ArrowDown: () => counting.step(-1),
    ArrowLeft: counting.previous,
    ArrowRight: counting.next,
  };
  return actions[key];
}
