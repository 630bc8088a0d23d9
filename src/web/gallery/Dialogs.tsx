import { type ReactNode, useState } from 'react';
import { Button } from '../ui/Button';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { deferMenu } from '../ui/deferMenu';
import { Drawer } from '../ui/Drawer';
import { TextField } from '../ui/FormField';
import { Modal, ModalActions, ModalClose } from '../ui/Modal';
import { toast } from '../ui/toast';
import styles from './Gallery.module.css';

const Menu = deferMenu(async () => (await import('./ExampleMenu')).ExampleMenu);
const nothing = () => undefined;

/** By the label of the button that opens it. */
const dialogs: Readonly<Record<string, (onClose: () => void) => ReactNode>> = {
  Dialog: (onClose) => (
    <Modal title="Rename list" onClose={onClose}>
      <ModalClose onClose={onClose} />
      <TextField label="Name" defaultValue="Dry store" />
      <ModalActions onClose={onClose}>
        <Button onClick={onClose}>Rename</Button>
      </ModalActions>
    </Modal>
  ),
  Question: (onClose) => (
    <ConfirmDialog
      title="Delete list"
      text="This can't be undone."
      action="Delete"
      onConfirm={nothing}
      onClose={onClose}
    />
  ),
  Drawer: (onClose) => (
    <Drawer title="Filters" onClose={onClose} foot={<Button onClick={onClose}>Show</Button>}>
      <p>What can be chosen</p>
    </Drawer>
  ),
};

export function Dialogs() {
  const [open, setOpen] = useState('');
  return (
    <div className={styles['states']}>
      {Object.keys(dialogs).map((name) => (
        <Button key={name} variant="outline" onClick={() => setOpen(name)}>
          {name}
        </Button>
      ))}
      {dialogs[open]?.(() => setOpen(''))}
      <Menu className="">Menu</Menu>
      <Toasts />
    </div>
  );
}

const undo = { label: 'Undo', onPress: nothing };

const Toasts = () => (
  <>
    <Button onClick={() => toast.success('Saved')}>Success toast</Button>
    <Button onClick={() => toast.error('Not saved')}>Error toast</Button>
    <Button onClick={() => toast.warning('Almost sold out')}>Warning toast</Button>
    <Button onClick={() => toast.info('Removed', undo)}>Toast with an action</Button>
  </>
);
