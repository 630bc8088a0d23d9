import { type ComponentType, lazy, type ReactNode, startTransition, Suspense, useState } from 'react';
import { importWhileHere } from '../browser/importWhileHere';

export interface MenuButtonProps {
  /** The class of the button that opens it. */
  className: string | undefined;
  isCurrent?: boolean;
  children: ReactNode;
}

/**
 * Creates a button that becomes a menu at its first use, to keep menu code out of the first load.
 * @param load imports the menu, which opens immediately and has the same button
 */
export function deferMenu<Props extends MenuButtonProps>(load: () => Promise<ComponentType<Props>>) {
  const preload = () => void load().catch(() => undefined); // the click tries again
  const Menu = lazy(async () => ({ default: await importWhileHere(load()) }));

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
        // in a transition the button stays, and keeps the focus, until the menu is loaded
        onClick={() => startTransition(() => setUsed(true))}
      >
        {props.children}
      </button>
    );
    return <Suspense fallback={button}>{isUsed ? <Menu {...props} /> : button}</Suspense>;
  };
}
