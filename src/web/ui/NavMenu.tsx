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
  /** One of the storefront's drawings, or another one. */
  icon: LaterIconName | ReactElement;
  /** Where it leads, or what it does once the menu has closed. */
  to?: string;
  onSelect?: () => void;
  /** A line under it tells it from the rest. */
  isApart?: boolean;
  /** In red. */
  isDangerous?: boolean;
}

interface Props extends MenuButtonProps {
  title: string;
  end?: 'start' | 'end';
  entries: readonly MenuEntry[];
}

/** A menu of links, and of what can be done. */
export function NavMenu({ entries, ...frame }: Props) {
  const navigate = useNavigate();
  // by their addresses, since two categories may have one title
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
        // the click itself, which Enter makes too: the menu's own `onSelect` misses one that came without a pointer
        <Menu.Item value={label} className={`${styles['item']} ${tone}`} onClick={onSelect}>
          {content}
        </Menu.Item>
      )}
      {isApart && <Menu.Separator className={styles['line'] ?? ''} />}
    </>
  );
}
