import { focusHeading } from './focusHeading';

/**
 * Before a line goes, the focus moves to the button of the next line that would take that one away (`data-removes`), or
 * to the heading: what has the focus must not vanish under it. Lines on their way out are passed over.
 */
export function focusBeside(row: HTMLElement | null): void {
  const next = nextRemove(row);
  if (next) next.focus({ preventScroll: true });
  else focusHeading();
}

function nextRemove(row: HTMLElement | null): HTMLElement | undefined {
  for (let line = row?.nextElementSibling; line; line = line.nextElementSibling) {
    const button = line.hasAttribute('inert') ? null : line.querySelector<HTMLElement>('[data-removes]');
    if (button) return button;
  }
  return undefined;
}
