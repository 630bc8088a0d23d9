/**
 * Before a line goes, the focus moves to the same button of the next line, or of the one before, or to the heading: what
 * has the focus must not vanish under it.
 */
export function focusBeside(row: HTMLElement | null): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const buttons = neighbour?.querySelectorAll('button');
  const target = buttons ? buttons[buttons.length - 1] : document.querySelector<HTMLElement>('main h1');
  target?.focus({ preventScroll: true });
}
