import { Menu } from '@chakra-ui/react/menu';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { MenuButtonProps } from './deferMenu';
import { LaterIcon, type LaterIconName } from './LaterIcon';
import { MenuFrame } from './MenuFrame';
import styles from './MenuFrame.module.css';
import { useOnceClosed } from './useOnceClosed';

interface MenuEntry {
  label: string;
  /** The name of an icon, or an element. */
  icon: LaterIconName | ReactElement;
  /** The link's target; otherwise `onSelect` runs once the menu has closed. */
  to?: string;
  onSelect?: () => void;
  /** Followed by a separator. */
  isApart?: boolean;
  /** Shown in red. */
  isDangerous?: boolean;
}

interface Props extends MenuButtonProps {
  title: string;
  end?: 'start' | 'end';
  entries: readonly MenuEntry[];
}

/** A menu of links and actions. */
export function NavMenu({ entries, ...frame }: Props) {
  const navigate = useNavigate();
  // identified by URL, since two categories may have the same title
  const follow = (to: string) => void navigate({ to });
  const { onceClosed, onExitComplete } = useOnceClosed();
  const items = entries.map(({ onSelect, ...entry }) => (
    <Entry key={entry.to ?? entry.label} {...entry} {...(onSelect && { onSelect: () => onceClosed(onSelect) })} />
  ));
  return <MenuFrame {...frame} onFollow={follow} onExitComplete={onExitComplete} items={items} />;
}

function Entry({ label, icon, to, onSelect, isApart, isDangerous }: MenuEntry) {
  const content = (
    <>
      {typeof icon === 'string' ? <LaterIcon name={icon} /> : icon}
      <span>{label}</span>
    </>
  );
  const tone = isDangerous ? (styles['danger'] ?? '') : '';
  return (
    <>
      {to ? (
        <Menu.Item value={to} className={styles['item'] ?? ''} asChild>
          <Link to={to}>{content}</Link>
        </Menu.Item>
      ) : (
        // the native click, which Enter triggers too: the menu's `onSelect` misses clicks without a pointer
        <Menu.Item value={label} className={`${styles['item']} ${tone}`} onClick={onSelect}>
          {content}
        </Menu.Item>
      )}
      {isApart && <Menu.Separator className={styles['line'] ?? ''} />}
    </>
  );
}
