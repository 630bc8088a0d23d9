import { type SubmitEvent, useState } from 'react';
import { listLimits, listNameKey, listErrorMessages, type ProductList } from '../../../shared/lists';
import { isNameRequired } from '../../../shared/required';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import styles from './ListNameDialog.module.css';

interface Props {
  title: string;
  /** The button's label. */
  action: string;
  name?: string;
  /** Lists whose names are taken. */
  others: readonly ProductList[];
  onName: (name: string) => void;
  onClose: () => void;
}

/** Asks for a list's name. */
export function ListNameDialog({ title, action, name = '', others, onName, onClose }: Props) {
  const [typed, setTyped] = useState(name);
  const [isSubmitted, setSubmitted] = useState(false);
  const error = isSubmitted ? errorOf(typed, others) : undefined;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSubmitted(true);
    if (errorOf(typed, others)) return event.currentTarget.querySelector('input')?.focus();
    onName(typed.trim());
    return onClose();
  };
  return (
    <Modal title={title} onClose={onClose}>
      <form className={styles['form']} noValidate onSubmit={submit}>
        <TextField
          label="Name"
          error={error}
          value={typed}
          maxLength={listLimits.name}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
        <ModalActions onClose={onClose}>
          <Button type="submit">{action}</Button>
        </ModalActions>
      </form>
    </Modal>
  );
}

function errorOf(typed: string, others: readonly ProductList[]): string | undefined {
  const key = listNameKey(typed);
  if (key === '') return isNameRequired;
  return others.some((list) => listNameKey(list.name) === key) ? listErrorMessages.list_name_taken : undefined;
}
