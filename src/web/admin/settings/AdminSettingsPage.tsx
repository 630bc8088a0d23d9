import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { settingsLimits, settingsSays } from '../../../shared/settings';
import { Pending } from '../ui/AdminHead';
import { Facts } from '../ui/Facts';
import form from '../ui/form.module.css';
import { NoMailServer } from './NoMailServer';
import { settingsQuery } from './queries';
import { SettingsHead } from './SettingsHead';
import { SettingsForm } from './SettingsForm';

const route = getRouteApi('/admin');

/** The owner changes them, an admin reads them. Rule: docs/rules/back-office.md, Settings */
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
          <p>{settingsSays.ownerOnly}</p>
          <Facts
            rows={[
              ['Shop name', settings.shopName],
              ['Contact email', settings.contactEmail],
              ['Contact phone', settings.contactPhone],
              ['Time zone', settings.timeZone],
              ['Two-step login of staff', settings.secondFactorOfStaff ? 'Required' : 'Not required'],
              ['Low stock', `${settings.lowStockThreshold} or fewer`],
              ['Units for a new customer', mostUnits(settings.newCustomerUnits)],
              ['Limit customers who never paid', settings.newCustomerLimits ? 'On' : 'Off'],
            ]}
          />
        </section>
      )}
      <Pending
        query={query}
        failure={settingsSays.getSettings.failure}
        what="the settings"
        className={form['waiting']}
      />
    </>
  );
}

const mostUnits = (units: number) =>
  units === settingsLimits.newCustomerUnits ? 'No limit' : `${units} or fewer of a product`;
