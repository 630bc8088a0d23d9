import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { factLabelOf, settingFields, settingNamesOf, type SettingSection } from '../../../shared/settingFields';
import { settingsMessages } from '../../../shared/settings';
import { settingInWords } from '../../../shared/settingTexts';
import { Pending } from '../ui/AdminHead';
import { Facts } from '../ui/Facts';
import form from '../ui/form.module.css';
import type { SettingsPlace } from './places';
import { settingsQuery } from './queries';
import { SettingsForm } from './SettingsForm';

type Props = { section: SettingSection; Above: SettingsPlace['Above']; Beside: SettingsPlace['Beside'] };

const route = getRouteApi('/admin');

/** The settings of one page. The owner can change them, admins can read them. Rule: docs/rules/back-office.md, Settings */
export function SettingsSection({ section, Above, Beside }: Props) {
  const { user } = route.useRouteContext();
  const query = useQuery({ ...settingsQuery(), staleTime: 0 });
  const { data: settings, isFetchedAfterMount } = query;
  return (
    <>
      {settings && isFetchedAfterMount && user.role === 'ROLE_OWNER' && (
        <SettingsForm section={section} settings={settings} Above={Above} Beside={Beside} />
      )}
      {settings && user.role !== 'ROLE_OWNER' && Above && (
        <Suspense>
          <Above />
        </Suspense>
      )}
      {settings && user.role !== 'ROLE_OWNER' && (
        <section className={`${form['box']} ${form['narrow']}`} aria-label={section}>
          <p>{settingsMessages.ownerOnly}</p>
          <Facts
            rows={settingNamesOf(section).map((name) => [
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
