import { type SyntheticEvent, useState } from 'react';
import { dashboardMessages, daysOf } from '../../../shared/dashboard';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import form from '../ui/form.module.css';

interface Days {
  from: string;
  to: string;
}
interface Props {
  days: Days;
  onChoose: (days: Days) => void;
  onClose: () => void;
}

/** Asks for the first and the last day of a period. */
export function CustomPeriod({ days, onChoose, onClose }: Props) {
  const [{ from, to }, setDays] = useState(days);
  const [error, setError] = useState<string>();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const found = daysOf({ period: 'custom', from, to }, to);
    if (typeof found === 'string') return setError(found);
    return from > to ? setError(dashboardMessages.wrongOrder) : onChoose(found);
  };
  return (
    <Modal title="Custom dates" onClose={onClose}>
      <form className={form['stack']} noValidate onSubmit={submit}>
        <div className={form['two']}>
          <TextField
            label="Start date"
            type="date"
            value={from}
            error={error}
            onChange={(event) => setDays({ from: event.currentTarget.value, to })}
          />
          <TextField
            label="End date"
            type="date"
            value={to}
            onChange={(event) => setDays({ from, to: event.currentTarget.value })}
          />
        </div>
        <ModalActions onClose={onClose}>
          <Button type="submit">Apply</Button>
        </ModalActions>
      </form>
    </Modal>
  );
}
