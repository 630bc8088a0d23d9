import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { courierParts } from '../../shared/addressLines';
import { messages } from '../../shared/checkout';
import { type NewAddress, newAddressForm } from '../../shared/checkoutForms';
import { findDraft, useDraft } from '../users/drafts';
import { useShopForm } from '../forms/useShopForm';
import { ActionButton } from '../ui/ActionButton';
import { CourierField } from '../ui/CourierField';
import { PostalCodeField, StateField, TextField } from '../ui/FormField';
import { useShopFacts } from '../ui/shopFacts';
import { Modal, ModalActions } from '../ui/Modal';
import { toast } from '../ui/toast';
import styles from './NewAddressDialog.module.css';

const blank = { company: '', street: '', street2: '', city: '', state: '', postalCode: '', phone: '' };

const isNeeded = (name: string) => !courierParts.some((part) => part === name);

interface Props {
  userId: string;
  /** The account's name, the initial value. */
  fullName: string;
  onUse: (address: NewAddress) => void;
  onClose: () => void;
}

/** 'Use This Address' is enabled once every required field has a character; those with only blanks get one shared error. */
export function NewAddressDialog({ userId, fullName, onUse, onClose }: Props) {
  const [defaultValues] = useState(() => ({ ...blank, fullName, ...findDraft(userId, 'newAddress') }));
  const form = useShopForm(newAddressForm(useShopFacts()), { defaultValues });
  const { control, handleSubmit, formState, setError, getValues } = form;
  const fields = useWatch({ control });
  const { errors } = formState;
  const isBlank = (name: keyof NewAddress) => isNeeded(name) && fields[name]?.trim() === '';
  const needed = Object.entries(fields).flatMap(([name, value]) => (isNeeded(name) ? [value] : []));
  const hasBlanks = needed.some((value) => value.trim() === '');
  const refuseBlanks = () => {
    if (!hasBlanks) return;
    setError('root', { message: messages.fillInAddress });
    toast.error(messages.fillInAddress);
  };
  /** The field's error; for fields with only blanks, the shared sentence above the button replaces it. */
  const field = (name: keyof NewAddress) => ({ ...form.field(name), ...(isBlank(name) && { error: undefined }) });
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
        <TextField label="Full Name" autoComplete="name" {...field('fullName')} />
        <TextField label="Street Address" autoComplete="address-line1" {...field('street')} />
        <CourierField part="street2" {...field('street2')} />
        <div className={styles['columns']}>
          <TextField label="City" autoComplete="address-level2" {...field('city')} />
          <StateField autoComplete="address-level1" {...field('state')} defaultValue={defaultValues.state} />
        </div>
        <PostalCodeField label="Postal Code" {...field('postalCode')} />
        <div className={styles['columns']}>
          <CourierField part="company" {...field('company')} />
          <CourierField part="phone" {...field('phone')} />
        </div>
        {errors.root && hasBlanks && (
          <p className={styles['problem']} role="alert">
            {errors.root.message}
          </p>
        )}
        <ModalActions onClose={close}>
          <ActionButton type="submit" isOff={needed.includes('')}>
            Use This Address
          </ActionButton>
        </ModalActions>
      </form>
    </Modal>
  );
}
