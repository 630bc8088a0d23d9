import { Button } from '@chakra-ui/react/button';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { says } from '../../shared/checkout';
import { type NewAddress, newAddressForm } from '../../shared/checkoutForms';
import { ActionButton } from '../ui/ActionButton';
import { StateField, TextField } from '../ui/FormField';
import { Modal, ModalActions } from '../ui/Modal';
import styles from './NewAddressDialog.module.css';

interface Props {
  /** The account's name, to start from. */
  fullName: string;
  onUse: (address: NewAddress) => void;
  onClose: () => void;
}

/** 'Use This Address' waits until every field has a character; only blanks are refused with one sentence. */
export function NewAddressDialog({ fullName, onUse, onClose }: Props) {
  const { control, register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(newAddressForm),
    defaultValues: { fullName, street: '', city: '', state: '', postalCode: '' },
    mode: 'onTouched',
  });
  const values = Object.values(useWatch({ control }));
  const { errors } = formState;
  const refuseBlanks = () => {
    if (values.some((value) => value.trim() === '')) setError('root', { message: says.fillInAddress });
  };
  const submit = handleSubmit(onUse, refuseBlanks);
  return (
    <Modal title="Add a New Address" onClose={onClose}>
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
          <StateField autoComplete="address-level1" error={errors.state?.message} {...register('state')} />
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
          <Button variant="outline" onClick={onClose}>
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
