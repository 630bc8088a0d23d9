import { useEffect, useState } from 'react';
import type { Schema } from '../../shared/contract';

type Line = Schema<'CartItem'>;

/** Duration of a removed line's closing animation. Rule: docs/rules/cart.md, The cart page */
export const leaveMs = 220;

/** @returns the cart's lines, and for a moment the removed ones in their old places */
export function useLeavingLines(lines: readonly Line[]): { line: Line; isLeaving: boolean }[] {
  const [known, setKnown] = useState(lines);
  const isInCart = ({ id }: Line) => lines.some((line) => line.id === id);
  const shown = prefersReducedMotion() ? lines : withRemoved(lines, known, isInCart);
  // compares contents: the array is a new one at each render while changes wait
  if (fingerprint(shown) !== fingerprint(known)) setKnown(shown);

  const removed = fingerprint(shown.filter((line) => !isInCart(line)));
  useEffect(() => {
    if (removed === '') return undefined;
    const timer = setTimeout(() => setKnown((all) => all.filter((line) => !removed.includes(line.id))), leaveMs);
    return () => clearTimeout(timer);
  }, [removed]);
  return shown.map((line) => ({ line, isLeaving: !isInCart(line) }));
}

function withRemoved(
  lines: readonly Line[],
  known: readonly Line[],
  isInCart: (line: Line) => boolean,
): readonly Line[] {
  const shown = [...lines];
  known.forEach((line, index) => isInCart(line) || shown.splice(index, 0, line));
  return shown;
}

const fingerprint = (lines: readonly Line[]) => lines.map(({ id, quantity }) => `${id} ${quantity}`).join();

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
