import { useState } from 'react';
import { addressForm } from '../../shared/addressForms';
import type { Schema } from '../../shared/contract';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import { CourierField } from '../ui/CourierField';
import { PostalCodeField, StateField, TextField } from '../ui/FormField';
import { useShopFacts } from '../ui/shopFacts';
import { Modal, ModalActions } from '../ui/Modal';
import styles from './AddressDialog.module.css';
import { useSaveAddress } from './addressQueries';
import { findDraft, useDraft } from './drafts';

const blank = { company: '', street: '', street2: '', city: '', state: '', postalCode: '', phone: '' };

const valuesOf = (address: Schema<'Address'> | undefined): typeof blank => {
  const { street, city, state, postalCode, company = '', street2 = '', phone = '' } = address ?? blank;
  return { company, street, street2, city, state, postalCode, phone };
};

interface Props {
  userId: string;
  /** The address to change; undefined for a new one. */
  address?: Schema<'Address'> | undefined;
  onClose: () => void;
}

/** Adds or changes an address, with the registration form's rules. Rule: docs/rules/accounts.md, Addresses */
export function AddressDialog({ userId, address, onClose }: Props) {
  const save = useSaveAddress(userId, address?.id);
  const [defaultValues] = useState(() => ({
    ...blank,
    ...(findDraft(userId, 'address')?.values ?? valuesOf(address)),
  }));
  const { field, handleSubmit, setError, getValues } = useShopForm(addressForm(useShopFacts()), { defaultValues });
  useFieldErrors(save.error, setError);
  const discardDraft = useDraft(userId, 'address', () => ({ addressId: address?.id, values: getValues() }));
  const close = () => {
    discardDraft();
    onClose();
  };
  const submit = handleSubmit((form) => save.mutate(form, { onSuccess: close }));
  return (
    <Modal title={address ? 'Edit Address' : 'Add Address'} onClose={close}>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Street address" autoComplete="address-line1" {...field('street')} />
        <CourierField part="street2" {...field('street2')} />
        <div className={styles['columns']}>
          <TextField label="City" autoComplete="address-level2" {...field('city')} />
          <StateField autoComplete="address-level1" {...field('state')} defaultValue={defaultValues.state} />
        </div>
        <PostalCodeField {...field('postalCode')} />
        <div className={styles['columns']}>
          <CourierField part="company" {...field('company')} />
          <CourierField part="phone" {...field('phone')} />
        </div>
        <ModalActions onClose={close}>
          <OnlineButton what="save an address" type="submit" isBusy={save.isPending}>
            Save address
          </OnlineButton>
        </ModalActions>
      </form>
    </Modal>
  );
}
