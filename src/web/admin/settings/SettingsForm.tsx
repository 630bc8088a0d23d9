import { type ComponentType, Suspense, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { settingNamesOf, type Settings, type SettingSection } from '../../../shared/settingFields';
import { settingsForm } from '../../../shared/settingsForms';
import { OnlineButton } from '../../connection/OnlineButton';
import { type ShopForm, useFieldErrors } from '../../forms/plainForm';
import { applySaved } from '../../forms/applySaved';
import { useShopForm } from '../../forms/useShopForm';
import form from '../ui/form.module.css';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import type { SettingsPlace } from './places';
import { useUpdateSettings } from './queries';
import { SettingField } from './SettingField';
import styles from './SettingsForm.module.css';

interface Props {
  section: SettingSection;
  settings: Settings;
  Above: SettingsPlace['Above'];
  Beside: SettingsPlace['Beside'];
}

/** The form of one page. Its settings are one record, so a change sends the others as they are. */
export function SettingsForm({ section, settings, Above, Beside }: Props) {
  const values = useShopForm(settingsForm, { defaultValues: settings });
  const { handleSubmit, formState, setError, getValues } = values;
  useStaffDraft(`settings/${section}`, values);
  const [before, setBefore] = useState(settings);
  const { mutate, isPending, error } = useUpdateSettings((saved, { sent = saved }) => {
    setBefore(saved);
    applySaved(values, sent, saved);
  });
  useFieldErrors(error, setError);
  const { question } = useLeaveGuard(formState.isDirty);
  const submit = handleSubmit((next) => mutate({ before, form: next, sent: getValues() }));
  const own = (
    <form className={`${form['box']} ${form['narrow']}`} noValidate onSubmit={(event) => void submit(event)}>
      {settingNamesOf(section).map((name) => (
        <SettingField key={name} name={name} before={before} values={values} />
      ))}
      <div className={form['actions']}>
        <OnlineButton what="save" type="submit" isBusy={isPending}>
          Save
        </OnlineButton>
      </div>
      {question}
    </form>
  );
  if (!Beside) return own;
  return (
    <div className={styles['columns']}>
      <div className={form['stack']}>
        {Above && (
          <Suspense>
            <Above />
          </Suspense>
        )}
        {own}
      </div>
      <Suspense>
        <Typed values={values} Beside={Beside} />
      </Suspense>
    </div>
  );
}

/** Apart from the form, so that a letter renders only this again. */
function Typed({
  values,
  Beside,
}: {
  values: ShopForm<Settings, unknown>;
  Beside: ComponentType<{ values: Settings }>;
}) {
  const typed = useWatch({ control: values.control });
  return <Beside values={{ ...values.getValues(), ...typed }} />;
}
