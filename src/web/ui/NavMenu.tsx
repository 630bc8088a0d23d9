import { Menu } from '@chakra-ui/react/menu';
import { Link, useNavigate } from '@tanstack/react-router';
import type { MenuButtonProps } from './deferMenu';
import { Icon, type IconName } from './Icon';
import { MenuFrame } from './MenuFrame';
import styles from './MenuFrame.module.css';

interface MenuEntry {
  label: string;
  icon: IconName;
  /** Where it leads, or what it does. */
  to?: string;
  onSelect?: () => void;
  /** Stands apart, in red. */
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
  const follow = (label: string) => {
    const to = entries.find((entry) => entry.label === label)?.to;
    if (to) void navigate({ to });
  };
  const items = entries.map((entry) => <Entry key={entry.label} {...entry} />);
  return <MenuFrame {...frame} onFollow={follow} items={items} />;
}

function Entry({ label, icon, to, onSelect, isDangerous }: MenuEntry) {
  const content = (
    <>
      <Icon name={icon} />
      <span className="first-cap">{label}</span>
    </>
  );
  if (to) {
    return (
      <Menu.Item value={label} className={styles['item'] ?? ''} asChild>
        <Link to={to}>{content}</Link>
      </Menu.Item>
    );
  }
  return (
    <>
      {isDangerous && <Menu.Separator className={styles['line'] ?? ''} />}
      {/* the click itself, which Enter makes too: the menu's own `onSelect` misses one that came without a pointer */}
      <Menu.Item
        value={label}
        className={`${styles['item']} ${isDangerous ? styles['danger'] : ''}`}
        onClick={onSelect}
      >
        {content}
      </Menu.Item>
    </>
  );
}
