import { getRouteApi, Link } from '@tanstack/react-router';
import { GoLiveCard } from '../goLive/GoLiveCard';
import { AdminHead } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import styles from './AdminSettingsPage.module.css';
import { NoMailServer } from './NoMailServer';
import { settingsPlacesOf } from './places';

const route = getRouteApi('/admin');

/** The hub: a card per page of the settings. Rule: docs/rules/back-office.md, Settings */
export function AdminSettingsPage() {
  const { user } = route.useRouteContext();
  return (
    <>
      <AdminHead title="Settings" />
      <GoLiveCard />
      <NoMailServer />
      <nav className={styles['cards']} aria-label="Settings">
        {settingsPlacesOf(user.role === 'ROLE_OWNER').map(({ to, label, about, icon }) => (
          <Link key={to} to={to} className={styles['card']}>
            <span className={styles['icon']}>
              <AdminIcon name={icon} />
            </span>
            <span>
              <b>{label}</b> <small>{about}</small>
            </span>
          </Link>
        ))}
      </nav>
    </>
  );
}
