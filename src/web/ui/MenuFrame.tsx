import { Menu } from '@chakra-ui/react/menu';
import { Portal } from '@chakra-ui/react/portal';
import { menuSlotRecipe } from '@chakra-ui/react/theme';
import { type ReactNode, type TouchEvent, useRef, useState } from 'react';
import type { MenuButtonProps } from './deferMenu';
import styles from './MenuFrame.module.css';
import { takeFocus } from './takeFocus';
import { Themed } from './Themed';

interface Props extends MenuButtonProps {
  /** The heading of the sheet that the menu becomes on a phone. */
  title: string;
  /** Under which end of its button the menu stands. */
  end?: 'start' | 'end';
  /** Whether it closes once something in it was chosen. */
  closeOnSelect?: boolean;
  /** Enter on an item that is a link; by itself the menu would load the whole page anew. */
  onFollow?: (value: string) => void;
  /** When it has closed and is gone from the page. */
  onExitComplete?: () => void;
  items: ReactNode;
}

/** A menu under its button, open from the start; below 1024 px a sheet at the foot of the screen, with the same keys. */
export function MenuFrame(props: Props) {
  const {
    title,
    end = 'start',
    closeOnSelect = true,
    onFollow,
    onExitComplete,
    items,
    className,
    isCurrent,
    children,
  } = props;
  const [isOpen, setOpen] = useState(true);
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
        {...(onExitComplete && { onExitComplete })}
        positioning={{ placement: `bottom-${end}`, gutter: 8 }}
        navigate={({ value }) => follow(value ?? '')}
      >
        <Menu.Trigger ref={takeFocus} className={className ?? ''} aria-current={isCurrent || undefined}>
          {children}
        </Menu.Trigger>
        <Portal>
          {isOpen && <div className={styles['scrim']} />}
          {/* the portal stands outside all landmarks, so the menu brings one */}
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

const enoughPx = 48;

/** Closes a sheet that a finger pulls down, unless the finger only scrolls what is in it. */
function useSwipeDown(close: () => void) {
  const start = useRef<number>(undefined);
  return {
    onTouchStart: ({ currentTarget, touches }: TouchEvent<HTMLElement>) => {
      start.current = currentTarget.scrollTop > 0 ? undefined : touches[0]?.clientY;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent<HTMLElement>) => {
      const end = changedTouches[0]?.clientY ?? 0;
      if (start.current !== undefined && end - start.current > enoughPx) close();
    },
  };
}
