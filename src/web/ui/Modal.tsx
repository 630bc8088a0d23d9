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
  /** Where the focus starts; the first field or button otherwise. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Where it is another size than the others. */
  className?: string | undefined;
  /** On a phone it takes the whole screen, with its buttons at the foot. */
  fillsPhone?: true;
  children: ReactNode;
}

/** A dialog over the page, a bottom sheet on a phone. Esc closes it, a click outside does not. */
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

/** A cross at the head of a long dialog. Where it stands among the children says when the keyboard comes to it. */
export const ModalClose = ({ onClose, ref }: CloseProps) => (
  <IconButton ref={ref} icon="cross" label="Close" className={styles['close'] ?? ''} onClick={onClose} />
);

interface ActionsProps {
  onClose: () => void;
  closeText?: string;
  /** Of the button that closes it, which changes nothing. */
  safe?: RefObject<HTMLButtonElement | null>;
  children?: ReactNode;
}

/** The buttons at a dialog's foot: the one that closes it, and what goes on at the right. */
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
