import { Menu } from '@chakra-ui/react/menu';
import { Portal } from '@chakra-ui/react/portal';
import { menuSlotRecipe } from '@chakra-ui/react/theme';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { MenuProps } from './DeferredMenu';
import { Icon, type IconName } from './Icon';
import styles from './NavMenu.module.css';

export interface MenuEntry {
  label: string;
  icon: IconName;
  /** Where it leads, or what it does. */
  to?: string;
  onSelect?: () => void;
  isDangerous?: boolean;
}

/** A menu under its button; below 1024 px a sheet at the foot of the screen, with the same keys. */
export function NavMenu({ title, entries, className, isCurrent, children }: MenuProps) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(true);
  const follow = (label: string) => {
    const to = entries.find((entry) => entry.label === label)?.to;
    setOpen(false);
    if (to) void navigate({ to });
  };
  return (
    <Menu.Root
      recipe={menuSlotRecipe}
      open={isOpen}
      onOpenChange={({ open }) => setOpen(open)}
      navigate={({ value }) => follow(value ?? '')} // Enter; by itself the menu would load the whole page anew
    >
      <Menu.Trigger className={className ?? ''} aria-current={isCurrent || undefined}>
        {children}
      </Menu.Trigger>
      <Portal>
        {isOpen && <div className={styles['scrim']} />}
        <Menu.Positioner className={styles['place'] ?? ''}>
          <Menu.Content className={styles['menu'] ?? ''} aria-label={title}>
            <p className={styles['title']} aria-hidden="true">
              {title}
            </p>
            {entries.map((entry) => (
              <Entry key={entry.label} {...entry} />
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}

function Entry({ label, icon, to, onSelect, isDangerous }: MenuEntry) {
  const look = `${styles['item']} ${isDangerous ? styles['danger'] : ''}`;
  const content = (
    <>
      <Icon name={icon} />
      <span>{label}</span>
    </>
  );
  if (to) {
    return (
      <Menu.Item value={label} className={look} asChild>
        <Link to={to}>{content}</Link>
      </Menu.Item>
    );
  }
  return (
    // the click itself, which Enter makes too: the menu's own `onSelect` misses one that came without a pointer
    <Menu.Item value={label} className={look} onClick={onSelect}>
      {content}
    </Menu.Item>
  );
}
