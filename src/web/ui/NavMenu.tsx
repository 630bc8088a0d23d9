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
  /** The menu stays open and shows other entries: `onSelect` runs immediately. */
  isStep?: boolean;
  /** Followed by a separator. */
  isApart?: boolean;
  /** Shown in red. */
  isDangerous?: boolean;
}

interface Props extends MenuButtonProps {
  title: string;
  end?: 'start' | 'end';
  entries: readonly MenuEntry[];
  /** Called when the menu has closed. */
  onClosed?: () => void;
}

/** A menu of links and actions. */
export function NavMenu({ entries, onClosed, ...frame }: Props) {
  const navigate = useNavigate();
  // identified by URL, since two categories may have the same title
  const follow = (to: string) => void navigate({ to });
  const { onceClosed, onExitComplete } = useOnceClosed();
  const items = entries.map(({ onSelect, ...entry }) => (
    <Entry
      key={entry.to ?? entry.label}
      {...entry}
      {...(onSelect && { onSelect: entry.isStep ? onSelect : () => onceClosed(onSelect) })}
    />
  ));
  const exit = () => {
    onExitComplete();
    onClosed?.();
  };
  return <MenuFrame {...frame} onFollow={follow} onExitComplete={exit} items={items} />;
}

function Entry({ label, icon, to, onSelect, isStep, isApart, isDangerous }: MenuEntry) {
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
        <Menu.Item
          value={label}
          className={`${styles['item']} ${tone}`}
          onClick={onSelect}
          {...(isStep && { closeOnSelect: false })}
        >
          {content}
        </Menu.Item>
      )}
      {isApart && <Menu.Separator className={styles['line'] ?? ''} />}
    </>
  );
}
