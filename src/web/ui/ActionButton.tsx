import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Button } from './Button';
import styles from './Button.module.css';

interface Props extends Omit<ComponentProps<typeof Button>, 'disabled'> {
  /** What it does is under way; it keeps its width, unless it has words for it. */
  isBusy?: boolean;
  busyText?: string;
  /** It cannot be pressed now; `aria-describedby` names what says why. */
  isOff?: boolean;
}

/** A button that keeps the focus while it cannot be pressed, unlike a disabled one: it says so, and does nothing. */
export function ActionButton({ isBusy = false, busyText, isOff = false, onClick, children, ...button }: Props) {
  const isIdle = isBusy || isOff;
  const click = (event: MouseEvent<HTMLButtonElement>) => (isIdle ? event.preventDefault() : onClick?.(event));
  return (
    <Button
      {...button}
      aria-disabled={isIdle || undefined}
      aria-busy={isBusy || undefined}
      onClick={click}
      {...(button.type === 'submit' && { onMouseDown: keepFocus })}
    >
      {isBusy && <span className={`${styles['spinner']} ${busyText ? '' : styles['over']}`} aria-hidden="true" />}
      {isBusy && busyText ? busyText : <Label isHidden={isBusy}>{children}</Label>}
    </Button>
  );
}

/**
 * A field that loses the focus to the button may show its error at once and so move the button away from the pointer;
 * the click would be lost.
 */
const keepFocus = (event: MouseEvent<HTMLButtonElement>) => event.preventDefault();

/** Out of sight and still read: the button keeps its name and its width. */
function Label({ isHidden, children }: { isHidden: boolean; children: ReactNode }) {
  return isHidden ? <span className="unseen">{children}</span> : children;
}
