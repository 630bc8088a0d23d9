import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { factLabelOf, settingFields, settingNamesOf } from '../../../shared/settingFields';
import { settingsMessages } from '../../../shared/settings';
import { settingInWords } from '../../../shared/settingTexts';
import { Pending } from '../ui/AdminHead';
import { Facts } from '../ui/Facts';
import form from '../ui/form.module.css';
import { NoMailServer } from './NoMailServer';
import { settingsQuery } from './queries';
import { SettingsHead } from './SettingsHead';
import { SettingsForm } from './SettingsForm';

const route = getRouteApi('/admin');

/** The owner can change the settings, admins can read them. Rule: docs/rules/back-office.md, Settings */
export function AdminSettingsPage() {
  const { user } = route.useRouteContext();
  const query = useQuery({ ...settingsQuery(), staleTime: 0 });
  const { data: settings, isFetchedAfterMount } = query;
  return (
    <>
      <SettingsHead tab="General" />
      <NoMailServer />
      {settings && isFetchedAfterMount && user.role === 'ROLE_OWNER' && <SettingsForm settings={settings} />}
      {settings && user.role !== 'ROLE_OWNER' && (
        <section className={`${form['box']} ${form['narrow']}`} aria-label="Settings">
          <p>{settingsMessages.ownerOnly}</p>
          <Facts
            rows={settingNamesOf('General').map((name) => [
              factLabelOf(name),
              settingInWords(settingFields[name], settings[name]),
            ])}
          />
        </section>
      )}
      <Pending
        query={query}
        failure={settingsMessages.getSettings.failure}
        what="the settings"
        className={form['waiting']}
      />
    </>
  );
}
