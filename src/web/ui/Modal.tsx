import { Dialog } from '@chakra-ui/react/dialog';
import { Portal } from '@chakra-ui/react/portal';
import { dialogSlotRecipe } from '@chakra-ui/react/theme';
import type { ReactNode, RefObject } from 'react';
import { Button } from './Button';
import { IconButton } from './IconButton';
import styles from './Modal.module.css';
import { Themed } from './Themed';

interface Props {
  title: string;
  role?: 'dialog' | 'alertdialog';
  onClose: () => void;
  /** Initial focus; defaults to the first field or button. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** For a different size. */
  className?: string | undefined;
  /** Full screen on phones, with the buttons at the bottom. */
  fillsPhone?: true;
  children: ReactNode;
}

/** A dialog over the page, a bottom sheet on phones. Esc closes it, a click outside doesn't. */
export function Modal({ title, role = 'dialog', onClose, initialFocus, className = '', fillsPhone, children }: Props) {
  return (
    <Themed>
      <Dialog.Root
        open
        recipe={dialogSlotRecipe}
        role={role}
        motionPreset="none"
        closeOnInteractOutside={false}
        onOpenChange={({ open }) => open || onClose()}
        {...(initialFocus && { initialFocusEl: () => initialFocus.current })}
      >
        <Portal>
          <Dialog.Backdrop className={styles['scrim'] ?? ''} />
          <Dialog.Positioner>
            <Dialog.Content className={`${styles['content']} ${fillsPhone ? styles['filling'] : ''} ${className}`}>
              <Dialog.Title textStyle="h2">{title}</Dialog.Title>
              {children}
            </Dialog.Content>
          </Dialog.Positioner>
        </Portal>
      </Dialog.Root>
    </Themed>
  );
}

interface CloseProps {
  onClose: () => void;
  ref?: RefObject<HTMLButtonElement | null>;
}

/** A close button at the top of a long dialog. Its position among the children determines the tab order. */
export const ModalClose = ({ onClose, ref }: CloseProps) => (
  <IconButton ref={ref} icon="cross" label="Close" className={styles['close'] ?? ''} onClick={onClose} />
);

interface ActionsProps {
  onClose: () => void;
  closeText?: string;
  /** Ref of the button that closes the dialog without changes. */
  safe?: RefObject<HTMLButtonElement | null>;
  children?: ReactNode;
}

/** The buttons at the bottom of a dialog: the closing one, then on the right those that proceed. */
export function ModalActions({ onClose, closeText = 'Cancel', safe, children }: ActionsProps) {
  return (
    <div className={styles['actions']}>
      <Button ref={safe} variant="outline" onClick={onClose}>
        {closeText}
      </Button>
      {children}
    </div>
  );
}
