import { settingFields, type SettingName, type Settings } from '../../../shared/settingFields';
import { timeZoneChoices } from '../../../shared/timeZones';
import type { ShopForm } from '../../forms/plainForm';
import { SelectField, TextAreaField, TextField } from '../../ui/FormField';
import { Switch } from '../ui/Switch';

interface Props {
  name: SettingName;
  /** The form's initial values, or the last saved ones. */
  before: Settings;
  values: Pick<ShopForm<Settings, unknown>, 'field' | 'register'>;
}

/** The field of one setting, from the table of settings. */
export function SettingField({ name, before, values: { field, register } }: Props) {
  const about = settingFields[name];
  const { label, hint } = about;
  const words = { label, ...(hint !== undefined && { hint }) };
  if (about.kind === 'flag') return <Switch {...words} {...register(name)} />;
  if (about.kind === 'timeZone')
    return (
      <SelectField {...words} {...field(name)}>
        {timeZoneChoices(before.timeZone).map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
    );
  if (about.kind === 'choice')
    return (
      <SelectField {...words} {...field(name)}>
        {Object.entries(about.choices).map(([choice, inWords]) => (
          <option key={choice} value={choice}>
            {inWords}
          </option>
        ))}
      </SelectField>
    );
  if (about.kind === 'number')
    return <TextField {...words} inputMode="numeric" autoComplete="off" {...field(name, { setValueAs: asNumber })} />;
  if (about.kind === 'lines') return <TextAreaField {...words} rows={about.rows} {...field(name)} />;
  return <TextField {...words} type={inputTypes[about.kind]} autoComplete="off" {...field(name)} />;
}

const inputTypes = { text: undefined, email: 'email', phone: 'tel' } as const;

const asNumber = (text: unknown) => (text === '' ? Number.NaN : Number(text));
