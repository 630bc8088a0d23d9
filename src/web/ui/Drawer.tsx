import { Dialog } from '@chakra-ui/react/dialog';
import { Portal } from '@chakra-ui/react/portal';
import { dialogSlotRecipe } from '@chakra-ui/react/theme';
import type { ReactNode, RefObject } from 'react';
import styles from './Drawer.module.css';
import { IconButton } from './IconButton';
import { Themed } from './Themed';

interface Props {
  title: string;
  onClose: () => void;
  /** Narrow; on a phone a sheet that leaves the page's top visible. */
  isSheet?: boolean;
  /** Gets the focus when it closes; by default the page's heading. */
  opener?: RefObject<HTMLElement | null>;
  /** Below the scrolling part, always visible. */
  foot: ReactNode;
  /** Focused when it opens, instead of its first control. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  children: ReactNode;
}

/** A dialog on the right, on a phone full screen or a sheet, with head, scrolling body, and foot. Esc closes it. */
export function Drawer({ title, onClose, isSheet = false, opener, foot, initialFocus, children }: Props) {
  return (
    <Themed>
      <Dialog.Root
        open
        recipe={dialogSlotRecipe}
        motionPreset="none"
        onFocusOutside={(event) => event.preventDefault()} // only a press outside closes it
        onOpenChange={({ open }) => open || onClose()}
        {...(initialFocus && { initialFocusEl: () => initialFocus.current })}
        finalFocusEl={() => opener?.current ?? document.querySelector<HTMLElement>('main h1')}
      >
        <Portal>
          <Dialog.Backdrop className={styles['scrim'] ?? ''} />
          <Dialog.Positioner className={styles['place'] ?? ''}>
            <Dialog.Content className={`${styles['drawer']} ${isSheet ? styles['sheet'] : ''}`}>
              <div className={styles['head']}>
                <Dialog.Title textStyle="h2">{title}</Dialog.Title>
                <IconButton icon="cross" label="Close" onClick={onClose} />
              </div>
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys */}
              <section className={styles['body']} tabIndex={0} aria-label={title}>
                {children}
              </section>
              <div className={styles['foot']}>{foot}</div>
            </Dialog.Content>
          </Dialog.Positioner>
        </Portal>
      </Dialog.Root>
    </Themed>
  );
}
