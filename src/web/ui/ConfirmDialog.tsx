import { useRef } from 'react';
import { Button } from './Button';
import { Modal, ModalActions } from './Modal';

interface Props {
  title: string;
  text: string;
  /** Label of the button that confirms. */
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before something is deleted; the focus starts on the safe button. */
export function ConfirmDialog({ title, text, action, onConfirm, onClose }: Props) {
  const safe = useRef<HTMLButtonElement>(null);
  const confirm = () => {
    onConfirm();
    onClose();
  };
  return (
    <Modal title={title} role="alertdialog" onClose={onClose} initialFocus={safe}>
      <p className="muted">{text}</p>
      <ModalActions onClose={onClose} safe={safe}>
        <Button colorPalette="error" onClick={confirm}>
          {action}
        </Button>
      </ModalActions>
    </Modal>
  );
}
