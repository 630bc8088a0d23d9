import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Button } from './Button';
import styles from './Button.module.css';

interface Props extends Omit<ComponentProps<typeof Button>, 'disabled'> {
  /** The action is in progress; the button keeps its width, unless it has a busy text. */
  isBusy?: boolean;
  busyText?: string;
  /** Disabled for now; `aria-describedby` refers to the reason. */
  isOff?: boolean;
}

/** A button that stays focusable while disabled: it uses aria-disabled and ignores clicks. */
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
 * A field that loses the focus to the button may show its error immediately, which moves the button away from the
 * pointer before the click.
 */
const keepFocus = (event: MouseEvent<HTMLButtonElement>) => event.preventDefault();

/** Hidden but still announced, so that the button keeps its name and width. */
function Label({ isHidden, children }: { isHidden: boolean; children: ReactNode }) {
  return isHidden ? <span className="unseen">{children}</span> : children;
}
