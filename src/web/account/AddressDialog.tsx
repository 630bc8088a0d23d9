import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { addressForm } from '../../shared/addressForms';
import type { Schema } from '../../shared/contract';
import { OnlineButton } from '../offline/OnlineButton';
import { Button } from '../ui/Button';
import { StateField, TextField } from '../ui/FormField';
import { useFieldErrors } from '../ui/fieldErrors';
import { Modal, ModalActions } from '../ui/Modal';
import styles from './AddressDialog.module.css';
import { useSaveAddress } from './addressQueries';
import { findDraft, useDraft } from './drafts';

const blank = { street: '', city: '', state: '', postalCode: '' };
type Fields = typeof blank;

interface Props {
  userId: string;
  /** The one to change; none for a new one. */
  address?: Schema<'Address'> | undefined;
  onClose: () => void;
}

/** Adds an address or changes one, by the rules of the registration form. Source: decisions §8 */
export function AddressDialog({ userId, address, onClose }: Props) {
  const save = useSaveAddress(userId, address?.id);
  const { street, city, state, postalCode } = address ?? blank;
  const [defaultValues] = useState(() => findDraft(userId, 'address')?.values ?? { street, city, state, postalCode });
  const { register, handleSubmit, formState, setError, getValues } = useForm({
    resolver: zodResolver(addressForm),
    defaultValues,
    mode: 'onTouched',
  });
  const { errors } = formState;
  useFieldErrors(save.error, setError);
  const giveUp = useDraft(userId, 'address', () => ({ addressId: address?.id, values: getValues() }));
  const close = () => {
    giveUp();
    onClose();
  };
  const field = (name: keyof Fields, autoComplete: string) => ({
    ...register(name),
    autoComplete,
    error: errors[name]?.message,
  });
  const submit = handleSubmit((form) => save.mutate(form, { onSuccess: close }));
  return (
    <Modal title={address ? 'Edit Address' : 'Add Address'} onClose={close}>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Street" {...field('street', 'street-address')} />
        <div className={styles['columns']}>
          <TextField label="City" {...field('city', 'address-level2')} />
          <StateField {...field('state', 'address-level1')} defaultValue={defaultValues.state} />
        </div>
        <TextField label="Postal Code" inputMode="numeric" {...field('postalCode', 'postal-code')} />
        <ModalActions>
          <Button variant="outline" onClick={close}>
            Cancel
          </Button>
          <OnlineButton what="An address" type="submit" isBusy={save.isPending}>
            Save Address
          </OnlineButton>
        </ModalActions>
      </form>
    </Modal>
  );
}
