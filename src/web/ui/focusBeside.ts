import { focusHeading } from './focusHeading';

/**
 * Call before removing a row: moves the focus to the next row's remove button (`data-removes`), or to the heading, so
 * that the focus isn't lost. Skips rows that are being removed.
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
