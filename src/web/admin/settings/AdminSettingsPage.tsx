import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { settingsSays } from '../../../shared/settings';
import { useHonestSentence } from '../../offline/useHonestSentence';
import { FailureNotice } from '../../ui/FailureNotice';
import { Facts } from '../Facts';
import form from '../form.module.css';
import { AdminHead } from '../shell/AdminHead';
import { settingsQuery } from './queries';
import { SettingsForm } from './SettingsForm';

const route = getRouteApi('/admin');

/** The owner changes them, an admin reads them. Source: decisions §1, §8 */
export function AdminSettingsPage() {
  const { user } = route.useRouteContext();
  const { data: settings, error, refetch, isFetchedAfterMount } = useQuery({ ...settingsQuery(), staleTime: 0 });
  const failure = useHonestSentence(settingsSays.getSettings.failure);
  return (
    <>
      <AdminHead title="Settings" />
      {settings && isFetchedAfterMount && user.role === 'ROLE_OWNER' && <SettingsForm settings={settings} />}
      {settings && user.role !== 'ROLE_OWNER' && (
        <section className={`${form['box']} ${form['narrow']}`} aria-label="Settings">
          <p>{settingsSays.ownerOnly}</p>
          <Facts
            rows={[
              ['Shop name', settings.shopName],
              ['Contact email', settings.contactEmail],
              ['Contact phone', settings.contactPhone],
              ['Time zone', settings.timeZone],
              ['Two-step login of staff', settings.secondFactorOfStaff ? 'Required' : 'Not required'],
              ['Low stock', `${settings.lowStockThreshold} or fewer`],
            ]}
          />
        </section>
      )}
      {!settings && error && <FailureNotice sentence={failure} onRetry={refetch} />}
      {!settings && !error && <output className={`skeleton ${form['waiting']}`} aria-label="Loading the settings" />}
    </>
  );
}
