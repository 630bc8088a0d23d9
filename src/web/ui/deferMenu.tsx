import { type ComponentType, lazy, type ReactNode, startTransition, Suspense, useState } from 'react';
import { whileHere } from '../browser/whileHere';

export interface MenuButtonProps {
  /** The look of the button that opens it. */
  className: string | undefined;
  isCurrent?: boolean;
  children: ReactNode;
}

/**
 * Makes a button that becomes a menu at its first use, so that no menu's code is in the first load.
 * @param load brings the menu, which opens at once and has a button of the same look
 */
export function deferMenu<Props extends MenuButtonProps>(load: () => Promise<ComponentType<Props>>) {
  const preload = () => void load().catch(() => undefined); // asked for again at the press
  const Menu = lazy(async () => ({ default: await whileHere(load()) }));

  return function DeferredMenu(props: Props) {
    const [isUsed, setUsed] = useState(false);
    const button = (
      <button
        type="button"
        className={props.className}
        aria-haspopup="menu"
        aria-expanded="false"
        aria-current={props.isCurrent || undefined}
        onPointerEnter={preload}
        onFocus={preload}
        // a transition: the button stays, and keeps the focus, until the menu is there
        onClick={() => startTransition(() => setUsed(true))}
      >
        {props.children}
      </button>
    );
    return <Suspense fallback={button}>{isUsed ? <Menu {...props} /> : button}</Suspense>;
  };
}
