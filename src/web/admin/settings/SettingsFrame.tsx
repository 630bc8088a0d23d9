import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { goLiveQuery } from '../goLive/queries';
import { AdminHead } from '../ui/AdminHead';
import { AttentionDot } from '../ui/AttentionDot';
import { settingsPlaces, settingsPlacesOf } from './places';
import styles from './SettingsFrame.module.css';

const route = getRouteApi('/admin');

/** A page of the settings: its title, the way back to the hub, and on wide screens the other pages beside it. */
export function SettingsFrame({ to: current, children }: { to: string; children: ReactNode }) {
  const { user } = route.useRouteContext();
  const { data: steps } = useQuery(goLiveQuery());
  const open = steps?.filter(({ state }) => state === 'open') ?? [];
  const label = settingsPlaces.find(({ to }) => to === current)?.label ?? 'Settings';
  return (
    <>
      <AdminHead title={label} pageTitle={`${label}, Settings`} back={{ to: '/admin/settings', label: 'Settings' }} />
      <div className={styles['frame']}>
        <nav className={styles['places']} aria-label="Settings">
          {settingsPlacesOf(user.role === 'ROLE_OWNER').map(({ to, label: name, step }) => (
            <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
              {name}
              {open.some((each) => each.step === step) && <AttentionDot />}
            </Link>
          ))}
        </nav>
        <div className={styles['content']}>{children}</div>
      </div>
    </>
  );
}
