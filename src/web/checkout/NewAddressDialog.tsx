import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { says } from '../../shared/checkout';
import { type NewAddress, newAddressForm } from '../../shared/checkoutForms';
import { findDraft, useDraft } from '../account/drafts';
import { ActionButton } from '../ui/ActionButton';
import { Button } from '../ui/Button';
import { StateField, TextField } from '../ui/FormField';
import { Modal, ModalActions } from '../ui/Modal';
import styles from './NewAddressDialog.module.css';

const blank = { street: '', city: '', state: '', postalCode: '' };

interface Props {
  userId: string;
  /** The account's name, to start from. */
  fullName: string;
  onUse: (address: NewAddress) => void;
  onClose: () => void;
}

/** 'Use This Address' waits until every field has a character; only blanks are refused with one sentence. */
export function NewAddressDialog({ userId, fullName, onUse, onClose }: Props) {
  const [defaultValues] = useState(() => findDraft(userId, 'newAddress') ?? { ...blank, fullName });
  const { control, register, handleSubmit, formState, setError, getValues } = useForm({
    resolver: zodResolver(newAddressForm),
    defaultValues,
    mode: 'onTouched',
  });
  const values = Object.values(useWatch({ control }));
  const { errors } = formState;
  const refuseBlanks = () => {
    if (values.some((value) => value.trim() === '')) setError('root', { message: says.fillInAddress });
  };
  const giveUp = useDraft(userId, 'newAddress', getValues);
  const close = () => {
    giveUp();
    onClose();
  };
  const use = (address: NewAddress) => {
    giveUp();
    onUse(address);
  };
  const submit = handleSubmit(use, refuseBlanks);
  return (
    <Modal title="Add a New Address" onClose={close}>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Full Name" autoComplete="name" error={errors.fullName?.message} {...register('fullName')} />
        <TextField
          label="Street Address"
          autoComplete="street-address"
          error={errors.street?.message}
          {...register('street')}
        />
        <div className={styles['columns']}>
          <TextField label="City" autoComplete="address-level2" error={errors.city?.message} {...register('city')} />
          <StateField
            autoComplete="address-level1"
            error={errors.state?.message}
            {...register('state')}
            defaultValue={defaultValues.state}
          />
        </div>
        <TextField
          label="Postal Code"
          inputMode="numeric"
          autoComplete="postal-code"
          error={errors.postalCode?.message}
          {...register('postalCode')}
        />
        {errors.root && (
          <p className={styles['problem']} role="alert">
            {errors.root.message}
          </p>
        )}
        <ModalActions>
          <Button variant="outline" onClick={close}>
            Cancel
          </Button>
          <ActionButton type="submit" isOff={values.some((value) => value === '')}>
            Use This Address
          </ActionButton>
        </ModalActions>
      </form>
    </Modal>
  );
}
