import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { type DeliveryMethod, deliveryMessages as messages } from '../../../shared/delivery';
import { deliveryMethodForm } from '../../../shared/deliveryForms';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { ActionButton } from '../../ui/ActionButton';
import { TextField } from '../../ui/FormField';
import { Modal, ModalActions, ModalClose } from '../../ui/Modal';
import { DollarsField } from '../ui/DollarsField';
import form from '../ui/form.module.css';
import { Toggle } from '../ui/Toggle';
import { useCloseGuard } from '../ui/useCloseGuard';
import styles from './delivery.module.css';
import { useSaveMethod } from './queries';
import { StatesField } from './StatesField';

interface Props {
  /** undefined: a new one */
  method: DeliveryMethod | undefined;
  onClose: () => void;
}

const money = (dollars: number | null | undefined) => (typeof dollars === 'number' ? dollars.toFixed(2) : '');

export function MethodDialog({ method, onClose }: Props) {
  const wasActive = method?.isActive ?? true;
  const [isActive, setActive] = useState(wasActive);
  const { control, field, handleSubmit, setError, setValue, formState } = useShopForm(deliveryMethodForm, {
    defaultValues: {
      name: method?.name ?? '',
      description: method?.description ?? '',
      price: money(method?.price),
      freeFrom: money(method?.freeFrom),
      states: method?.states ?? null,
    },
  });
  const { mutate, isPending, error } = useSaveMethod(method, onClose);
  useFieldErrors(error, setError);
  const { close, question } = useCloseGuard(formState.isDirty || isActive !== wasActive, onClose);
  const states = useWatch({ control, name: 'states' });
  const submit = handleSubmit(({ name, description = '', price, freeFrom = null, states: chosen = null }) =>
    mutate({ name, description, price, freeFrom, states: chosen, isActive }),
  );
  return (
    <Modal title="Delivery method" onClose={close} fillsPhone>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <div className={form['two']}>
          <TextField label="Name" autoComplete="off" {...field('name')} />
          <TextField label="Delivery time" autoComplete="off" {...field('description')} />
        </div>
        <div className={form['two']}>
          <DollarsField label="Price" {...field('price')} />
          <DollarsField label="Free over" hint={messages.freeFromHint} {...field('freeFrom')} />
        </div>
        <StatesField
          states={states}
          saved={method?.states ?? []}
          error={formState.errors.states?.message}
          onChange={(next) => setValue('states', next, { shouldDirty: true, shouldValidate: formState.isSubmitted })}
        />
        <div className={styles['switch']}>
          <span aria-hidden="true">Available at checkout</span>
          <Toggle label="Available at checkout" isOn={isActive} onChange={setActive} />
        </div>
        <ModalActions onClose={close}>
          <ActionButton type="submit" isBusy={isPending}>
            Save
          </ActionButton>
        </ModalActions>
      </form>
      <ModalClose onClose={close} />
      {question}
    </Modal>
  );
}
