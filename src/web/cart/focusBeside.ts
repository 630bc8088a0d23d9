import { focusHeading } from '../ui/focusHeading';

/**
 * Before a line goes, the focus moves to the same button of the next line, or of the one before, or to the heading: what
 * has the focus must not vanish under it.
 */
export function focusBeside(row: HTMLElement | null): void {
  const target = beside(row, 'nextElementSibling') ?? beside(row, 'previousElementSibling');
  if (target) target.focus({ preventScroll: true });
  else focusHeading();
}

/** The last button of the nearest line on that side; those on their way out are passed over. */
function beside(row: Element | null, side: 'nextElementSibling' | 'previousElementSibling'): HTMLElement | undefined {
  let neighbour = row?.[side];
  while (neighbour?.hasAttribute('inert')) neighbour = neighbour[side];
  return neighbour ? [...neighbour.querySelectorAll('button')].at(-1) : undefined;
}
