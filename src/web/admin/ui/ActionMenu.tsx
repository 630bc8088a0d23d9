import { Menu } from '@chakra-ui/react/menu';
import { Portal } from '@chakra-ui/react/portal';
import { menuSlotRecipe } from '@chakra-ui/react/theme';
import { Link, useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { MenuButtonProps } from '../../ui/deferMenu';
import { Icon } from '../../ui/Icon';
import { takeFocus } from '../../ui/takeFocus';
import { useOnceClosed } from '../../ui/useOnceClosed';
import { AdminIcon, type AdminIconName } from './AdminIcon';
import styles from './ActionMenu.module.css';

export interface ActionEntry {
  label: string;
  icon: AdminIconName;
  /** The URL it links to, or the action to run once the menu has closed. */
  to?: string;
  onSelect?: () => void;
  /** Currently disabled; stays in its place, grayed out. */
  isOff?: boolean;
  /** Set apart, in red. */
  isDangerous?: boolean;
}

/** One of several values, such as an order's status or a user's role. */
export interface ActionChoice {
  heading: string;
  /** The current value. */
  chosen: string | undefined;
  /** Labels may repeat: two people can have the same name. */
  options: readonly {
    value: string;
    label: string;
    icon?: AdminIconName;
    isOff?: boolean;
    whyOff?: string | undefined;
  }[];
  onChoose: (value: string) => void;
}

export interface ActionMenuProps extends MenuButtonProps {
  title: string;
  choice?: ActionChoice | undefined;
  entries?: readonly ActionEntry[];
  end?: 'start' | 'end';
}

/**
 * A menu below its button, also on a phone: for rows, chips and the account. Initially open, because deferMenu mounts
 * it on first use.
 */
export function ActionMenu({ title, choice, entries = [], end = 'end', className, children }: ActionMenuProps) {
  const [isOpen, setOpen] = useState(true);
  const navigate = useNavigate();
  const { onceClosed, onExitComplete } = useOnceClosed();
  const follow = (label: string) => {
    setOpen(false);
    const to = entries.find((entry) => entry.label === label)?.to;
    if (to) void navigate({ to });
  };
  return (
    <Menu.Root
      recipe={menuSlotRecipe}
      open={isOpen}
      onOpenChange={({ open }) => setOpen(open)}
      onExitComplete={onExitComplete}
      // fixed, so that a shrinking window does not scroll sideways until the menu has moved
      positioning={{ placement: `bottom-${end}`, gutter: 4, strategy: 'fixed' }}
      navigate={({ value }) => follow(value ?? '')}
    >
      <Menu.Trigger ref={takeFocus} className={className ?? ''}>
        {children}
      </Menu.Trigger>
      <Portal>
        {/* the portal is outside all landmarks, so the menu adds one */}
        <section aria-label={title}>
          <Menu.Positioner className={styles['place'] ?? ''}>
            <Menu.Content className={styles['menu'] ?? ''} aria-label={title}>
              {choice && (
                <Choice
                  {...choice}
                  isAlone={entries.length === 0}
                  onChoose={(value) => onceClosed(() => choice.onChoose(value))}
                />
              )}
              {entries.map(({ onSelect, ...entry }) => (
                <Entry key={entry.label} {...entry} {...(onSelect && { onSelect: () => onceClosed(onSelect) })} />
              ))}
            </Menu.Content>
          </Menu.Positioner>
        </section>
      </Portal>
    </Menu.Root>
  );
}

function Choice({ heading, chosen, options, onChoose, isAlone }: ActionChoice & { isAlone: boolean }) {
  return (
    <>
      <Menu.RadioItemGroup
        value={chosen ?? ''}
        onValueChange={({ value }) => onChoose(value)}
        aria-label={heading}
        className={styles['group'] ?? ''}
      >
        {!isAlone && (
          <p className={styles['heading']} aria-hidden="true">
            {heading}
          </p>
        )}
        {options.map((option) => (
          <Option key={option.value} {...option} isChosen={option.value === chosen} />
        ))}
      </Menu.RadioItemGroup>
      {!isAlone && <Menu.Separator className={styles['line'] ?? ''} />}
    </>
  );
}

/** The reason for a disabled option is shown below it and is not part of its name. */
function Option({
  value,
  label,
  icon,
  isOff = false,
  whyOff,
  isChosen,
}: ActionChoice['options'][number] & { isChosen: boolean }) {
  const whyId = useId();
  return (
    <>
      <Menu.RadioItem
        value={value}
        disabled={isOff}
        aria-describedby={whyOff && whyId}
        className={styles['item'] ?? ''}
      >
        {icon && <AdminIcon name={icon} />}
        <span className="first-cap">{label}</span>
        {isChosen && (
          <span className={styles['mark']}>
            <Icon name="check" />
          </span>
        )}
      </Menu.RadioItem>
      {whyOff && (
        <small id={whyId} className={styles['why']} aria-hidden="true">
          {whyOff}
        </small>
      )}
    </>
  );
}

function Entry({ label, icon, to, onSelect, isOff = false, isDangerous }: ActionEntry) {
  const content = (
    <>
      <AdminIcon name={icon} />
      <span>{label}</span>
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
      {/* uses the click event, which Enter also fires: the menu's own `onSelect` misses clicks without a pointer */}
      <Menu.Item
        value={label}
        disabled={isOff}
        className={`${styles['item']} ${isDangerous ? styles['danger'] : ''}`}
        {...(!isOff && onSelect && { onClick: onSelect })}
      >
        {content}
      </Menu.Item>
    </>
  );
}
