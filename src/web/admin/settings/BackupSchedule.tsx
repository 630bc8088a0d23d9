import type { BackupSchedule as Schedule } from '../../../shared/backups';
import { backupScheduleForm } from '../../../shared/backupsForms';
import { backupPageMessages as messages, hourInWords } from '../../../shared/backupsStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { applySaved } from '../../forms/applySaved';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { SelectField, TextField } from '../../ui/FormField';
import { Icon } from '../../ui/Icon';
import form from '../ui/form.module.css';
import notice from '../ui/notice.module.css';
import { Switch } from '../ui/Switch';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import { useSetBackups } from './backupQueries';
import styles from './Backups.module.css';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const asNumber = (text: unknown) => (text === '' ? Number.NaN : Number(text));

/** When backups are made, and how many are kept. */
export function BackupSchedule({ schedule }: { schedule: Schedule }) {
  const values = useShopForm(backupScheduleForm, { defaultValues: schedule });
  const { field, register, handleSubmit, formState, setError } = values;
  useStaffDraft('settings/backups', values);
  const { mutate, isPending, error } = useSetBackups((saved, sent) => applySaved(values, sent, saved));
  useFieldErrors(error, setError);
  const { question } = useLeaveGuard(formState.isDirty);
  const submit = handleSubmit((next) => mutate(next));
  return (
    <form className={form['box']} aria-labelledby="backup-schedule" noValidate onSubmit={(event) => void submit(event)}>
      <h2 id="backup-schedule" className={form['heading']}>
        Schedule
      </h2>
      <Switch label="Back up every night" hint={messages.contents} {...register('isOn')} />
      <div className={styles['schedule']}>
        <SelectField label="At" {...field('hour', { setValueAs: asNumber })}>
          {hours.map((hour) => (
            <option key={hour} value={hour}>
              {hourInWords(hour)}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Days to keep"
          hint={messages.daysHint}
          inputMode="numeric"
          autoComplete="off"
          {...field('days', { setValueAs: asNumber })}
        />
        <TextField
          label="Weeks to keep"
          hint={messages.weeksHint}
          inputMode="numeric"
          autoComplete="off"
          {...field('weeks', { setValueAs: asNumber })}
        />
      </div>
      <p className={`${notice['notice']} ${styles['same']}`}>
        <Icon name="alert" />
        <span>{messages.sameServer}</span>
      </p>
      <div className={form['actions']}>
        <OnlineButton what="save" type="submit" isBusy={isPending}>
          Save
        </OnlineButton>
      </div>
      {question}
    </form>
  );
}
