import { Button, type ButtonProps } from '@chakra-ui/react/button';
import { Spinner } from '@chakra-ui/react/spinner';
import type { MouseEvent } from 'react';

interface Props extends Omit<ButtonProps, 'disabled' | 'loading'> {
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
      position="relative"
      aria-disabled={isIdle || undefined}
      aria-busy={isBusy || undefined}
      data-disabled={isIdle ? '' : undefined}
      onClick={click}
    >
      {isBusy && <Spinner size="sm" aria-hidden="true" position={busyText ? 'static' : 'absolute'} />}
      {isBusy && busyText ? busyText : <Label isHidden={isBusy}>{children}</Label>}
    </Button>
  );
}

/** Out of sight and still read: the button keeps its name and its width. */
function Label({ isHidden, children }: { isHidden: boolean; children: ButtonProps['children'] }) {
  return isHidden ? <span className="unseen">{children}</span> : children;
}
