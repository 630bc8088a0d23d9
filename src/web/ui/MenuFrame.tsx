import { Menu } from '@chakra-ui/react/menu';
import { Portal } from '@chakra-ui/react/portal';
import { menuSlotRecipe } from '@chakra-ui/react/theme';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import type { MenuButtonProps } from './deferMenu';
import styles from './MenuFrame.module.css';
import { useSwipeDown } from './swipeDown';
import { takeFocus } from './takeFocus';
import { Themed } from './Themed';

interface Props extends MenuButtonProps {
  /** Heading of the bottom sheet on phones. */
  title: string;
  /** The end of the button that the menu is aligned to. */
  end?: 'start' | 'end';
  /** Whether choosing an item closes it. */
  closeOnSelect?: boolean;
  /** Choosing an item leads nowhere, so its button gets the focus back. */
  staysHere?: boolean;
  /** Handles Enter on a link item; by default the menu would reload the page. */
  onFollow?: (value: string) => void;
  /** Called when the menu has closed and left the DOM. */
  onExitComplete?: () => void;
  items: ReactNode;
}

/** A menu below its button, initially open; below 1024 px a bottom sheet with the same keyboard control. */
export function MenuFrame(props: Props) {
  const {
    title,
    end = 'start',
    closeOnSelect = true,
    staysHere = false,
    onFollow,
    onExitComplete,
    items,
    className,
    isCurrent,
    children,
  } = props;
  const [isOpen, setOpen] = useState(true);
  const trigger = useRef<HTMLButtonElement>(null);
  const connectTrigger = useCallback((button: HTMLButtonElement | null) => {
    trigger.current = button;
    takeFocus(button);
  }, []);
  const follow = (value: string) => {
    setOpen(false);
    onFollow?.(value);
  };
  const swipe = useSwipeDown(() => setOpen(false));
  return (
    <Themed>
      <Menu.Root
        recipe={menuSlotRecipe}
        open={isOpen}
        onOpenChange={({ open }) => setOpen(open)}
        closeOnSelect={closeOnSelect}
        {...(staysHere && { onSelect: () => setTimeout(() => trigger.current?.focus()) })}
        {...(onExitComplete && { onExitComplete })}
        positioning={{ placement: `bottom-${end}`, gutter: 8 }}
        navigate={({ value }) => follow(value ?? '')}
      >
        <Menu.Trigger ref={connectTrigger} className={className ?? ''} aria-current={isCurrent || undefined}>
          {children}
        </Menu.Trigger>
        <Portal>
          {isOpen && <div className={styles['scrim']} />}
          {/* the portal is outside all landmarks, so the menu adds one */}
          <section aria-label={title}>
            <Menu.Positioner className={styles['place'] ?? ''}>
              <Menu.Content className={styles['menu'] ?? ''} aria-label={title} {...swipe}>
                <p className={styles['title']} aria-hidden="true">
                  {title}
                </p>
                {items}
              </Menu.Content>
            </Menu.Positioner>
          </section>
        </Portal>
      </Menu.Root>
    </Themed>
  );
}
