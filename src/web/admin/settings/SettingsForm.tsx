import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { type Settings, settingsSays, timeZones } from '../../../shared/settings';
import { settingsForm } from '../../../shared/settingsForms';
import { OnlineButton } from '../../offline/OnlineButton';
import { SelectField, TextField } from '../../ui/FormField';
import { useFieldErrors } from '../../ui/fieldErrors';
import form from '../form.module.css';
import { useLeaveGuard } from '../useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import { useUpdateSettings } from './queries';
import { Switch } from './Switch';

export function SettingsForm({ settings }: { settings: Settings }) {
  const values = useForm<Settings>({
    resolver: zodResolver(settingsForm),
    defaultValues: settings,
    mode: 'onTouched',
  });
  const { register, handleSubmit, formState, setError, reset } = values;
  useStaffDraft('settings', values);
  const { mutate, isPending, error } = useUpdateSettings();
  useFieldErrors(error, setError);
  const { errors, isDirty } = formState;
  const { question } = useLeaveGuard(isDirty);
  const field = (name: keyof Settings) => ({ ...register(name), error: errors[name]?.message });
  const submit = handleSubmit((next) => mutate(next, { onSuccess: ({ settings: saved }) => reset(saved) }));
  return (
    <form className={`${form['box']} ${form['narrow']}`} noValidate onSubmit={(event) => void submit(event)}>
      <TextField label="Shop name" autoComplete="off" {...field('shopName')} />
      <TextField label="Contact email" type="email" autoComplete="off" {...field('contactEmail')} />
      <TextField label="Contact phone" type="tel" autoComplete="off" {...field('contactPhone')} />
      <SelectField label="Time zone" hint={settingsSays.timeZoneHint} {...field('timeZone')}>
        {timeZones().map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
      <Switch
        label="Require two-step login of staff"
        hint={settingsSays.secondFactorHint}
        {...register('secondFactorOfStaff')}
      />
      <TextField
        label="Low stock"
        inputMode="numeric"
        autoComplete="off"
        hint={settingsSays.lowStockHint}
        {...register('lowStockThreshold', {
          setValueAs: (units: unknown) => (units === '' ? Number.NaN : Number(units)),
        })}
        error={errors.lowStockThreshold?.message}
      />
      <div className={form['actions']}>
        <OnlineButton what="Saving" type="submit" isBusy={isPending}>
          Save
        </OnlineButton>
      </div>
      {question}
    </form>
  );
}
