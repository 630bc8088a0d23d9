import { useEffect, useState } from 'react';
import type { Schema } from '../../shared/contract';

type Line = Schema<'CartItem'>;

/** Duration of a removed line's closing animation. Rule: docs/rules/cart.md, The cart page */
export const leaveMs = 220;

/** @returns the cart's lines, and for a moment the removed ones in their old places */
export function useLeavingLines(lines: readonly Line[]): { line: Line; isLeaving: boolean }[] {
  const [known, setKnown] = useState(lines);
  const isThere = ({ id }: Line) => lines.some((line) => line.id === id);
  const shown = isStill() ? lines : withGone(lines, known, isThere);
  // compares contents: the array is a new one at each render while changes wait
  if (spell(shown) !== spell(known)) setKnown(shown);

  const gone = spell(shown.filter((line) => !isThere(line)));
  useEffect(() => {
    if (gone === '') return undefined;
    const timer = setTimeout(() => setKnown((all) => all.filter((line) => !gone.includes(line.id))), leaveMs);
    return () => clearTimeout(timer);
  }, [gone]);
  return shown.map((line) => ({ line, isLeaving: !isThere(line) }));
}

function withGone(lines: readonly Line[], known: readonly Line[], isThere: (line: Line) => boolean): readonly Line[] {
  const shown = [...lines];
  known.forEach((line, index) => isThere(line) || shown.splice(index, 0, line));
  return shown;
}

const spell = (lines: readonly Line[]) => lines.map(({ id, quantity }) => `${id} ${quantity}`).join();

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
