import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { exampleContact, settingsMessages } from '../../../shared/settings';
import { Icon } from '../../ui/Icon';
import { settingsQuery } from '../settings/queries';
import notice from '../ui/notice.module.css';
import styles from './dashboard.module.css';

/**
 * A notice that customers still see the example contact data of a new shop, until the owner changes it.
 * Rule: docs/rules/back-office.md, Dashboard
 */
export function ExampleContact() {
  const { user } = useRouteContext({ from: '/admin' });
  const { data: settings } = useQuery(settingsQuery());
  const what = settings && exampleContact(settings);
  if (!what) return null;
  return (
    <section className={notice['notice']} aria-label="Contact info">
      <Icon name="alert" />
      <p>{settingsMessages.exampleContact(what)}</p>
      {user.role === 'ROLE_OWNER' ? (
        <Link to="/admin/settings/$place" params={{ place: 'general' }} className={`link ${styles['order']}`}>
          Update contact info
        </Link>
      ) : (
        settingsMessages.ownerOnly
      )}
    </section>
  );
}
