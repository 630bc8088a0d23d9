import { useState } from 'react';
import { type Settings, settingsSays } from '../../../shared/settings';
import { settingsForm } from '../../../shared/settingsForms';
import { timeZoneChoices } from '../../../shared/timeZones';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { takeSaved } from '../../forms/takeSaved';
import { useShopForm } from '../../forms/useShopForm';
import { SelectField, TextField } from '../../ui/FormField';
import form from '../ui/form.module.css';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import { useUpdateSettings } from './queries';
import { Switch } from '../ui/Switch';

export function SettingsForm({ settings }: { settings: Settings }) {
  const values = useShopForm(settingsForm, { defaultValues: settings });
  const { field, register, handleSubmit, formState, setError, getValues } = values;
  useStaffDraft('settings', values);
  const { mutate, isPending, error } = useUpdateSettings();
  useFieldErrors(error, setError);
  const { question } = useLeaveGuard(formState.isDirty);
  const [before, setBefore] = useState(settings);
  const submit = handleSubmit((next) => {
    const sent = getValues();
    const onSuccess = ({ settings: saved }: { settings: Settings }) => {
      setBefore(saved);
      takeSaved(values, sent, saved);
    };
    mutate({ before, form: next }, { onSuccess });
  });
  return (
    <form className={`${form['box']} ${form['narrow']}`} noValidate onSubmit={(event) => void submit(event)}>
      <TextField label="Shop name" autoComplete="off" {...field('shopName')} />
      <TextField label="Contact email" type="email" autoComplete="off" {...field('contactEmail')} />
      <TextField label="Contact phone" type="tel" autoComplete="off" {...field('contactPhone')} />
      <SelectField label="Time zone" hint={settingsSays.timeZoneHint} {...field('timeZone')}>
        {timeZoneChoices(before.timeZone).map((zone) => (
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
        {...field('lowStockThreshold', { setValueAs: asUnits })}
      />
      <TextField
        label="Units for a new customer"
        inputMode="numeric"
        autoComplete="off"
        hint={settingsSays.newCustomerHint}
        {...field('newCustomerUnits', { setValueAs: asUnits })}
      />
      <Switch
        label="Limit customers who never paid"
        hint={settingsSays.newCustomerLimitsHint}
        {...register('newCustomerLimits')}
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

const asUnits = (text: unknown) => (text === '' ? Number.NaN : Number(text));
