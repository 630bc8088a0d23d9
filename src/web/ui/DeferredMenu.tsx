import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { MenuEntry } from './NavMenu';

const load = () => import('./NavMenu');
const NavMenu = lazy(async () => ({ default: (await load()).NavMenu }));

export interface MenuProps {
  /** The heading of the sheet that the menu becomes on a phone. */
  title: string;
  entries: readonly MenuEntry[];
  /** The look of the button that opens it. */
  className: string | undefined;
  isCurrent: boolean;
  children: ReactNode;
}

/** A button that becomes a menu at its first use: the menu's code is not in the first load. */
export function DeferredMenu(props: MenuProps) {
  const [isUsed, setUsed] = useState(false);
  const button = (
    <button
      type="button"
      className={props.className}
      aria-haspopup="menu"
      aria-expanded="false"
      aria-current={props.isCurrent || undefined}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setUsed(true)}
    >
      {props.children}
    </button>
  );
  if (!isUsed) return button;
  return (
    <Suspense fallback={button}>
      <NavMenu {...props} />
    </Suspense>
  );
}
