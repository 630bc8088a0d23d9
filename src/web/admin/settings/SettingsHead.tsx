import { Link } from '@tanstack/react-router';
import { AdminHead } from '../ui/AdminHead';
import styles from './SettingsHead.module.css';

/** The settings pages, each with its own URL. */
const tabs = [
  { to: '/admin/settings', label: 'General' },
  { to: '/admin/delivery', label: 'Delivery' },
  { to: '/admin/tax', label: 'Sales tax' },
] as const;

/** @param tab the label of the current page */
export function SettingsHead({ tab }: { tab: (typeof tabs)[number]['label'] }) {
  return (
    <>
      <AdminHead title="Settings" pageTitle={tab === 'General' ? 'Settings' : `${tab}, Settings`} />
      <nav className={styles['tabs']} aria-label="Settings">
        {tabs.map(({ to, label }) => (
          <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            {label}
          </Link>
        ))}
      </nav>
    </>
  );
}
