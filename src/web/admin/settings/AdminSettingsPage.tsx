import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Badge } from '../../ui/Badge';
import { GoLiveCard } from '../goLive/GoLiveCard';
import { goLiveQuery } from '../goLive/queries';
import { AdminHead } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import card from '../ui/LinkCard.module.css';
import styles from './AdminSettingsPage.module.css';
import { NoMailServer } from './NoMailServer';
import { settingsPlacesOf } from './places';

const route = getRouteApi('/admin');

/** The hub: a card per page of the settings, with what is so there and whether it needs attention. Rule: docs/rules/back-office.md, Settings */
export function AdminSettingsPage() {
  const { user } = route.useRouteContext();
  const { data: steps } = useQuery(goLiveQuery());
  return (
    <>
      <AdminHead title="Settings" />
      <GoLiveCard />
      <NoMailServer />
      <nav className={styles['cards']} aria-label="Settings">
        {settingsPlacesOf(user.role === 'ROLE_OWNER').map(({ to, label, about, icon, step: name }) => {
          const step = steps?.find((each) => each.step === name);
          return (
            <Link key={to} to={to} className={`${card['card']} ${styles['card']}`}>
              <span className={styles['icon']}>
                <AdminIcon name={icon} />
              </span>
              <span className={styles['words']}>
                <b>{label}</b> <small>{step?.fact ?? about}</small>
              </span>{' '}
              {step?.state === 'open' && <Badge tone="warn">Attention</Badge>}
            </Link>
          );
        })}
      </nav>
    </>
  );
}
