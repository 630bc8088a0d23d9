import { getRouteApi, Outlet, useLocation } from '@tanstack/react-router';
import { adminMessages } from '../../../shared/admin';
import { offlineMessages } from '../../../shared/offline';
import { ForbiddenPage } from '../../ui/ForbiddenPage';
import { useIsOnline } from '../../server/reachability';
import { Icon } from '../../ui/Icon';
import { Themed } from '../../ui/Themed';
import { useNewOrders } from '../orders/useNewOrders';
import styles from './AdminArea.module.css';
import { AdminHeader } from './AdminHeader';
import { AdminTabBar } from './Sidebar';
import { isForOwner } from './places';
import { Sidebar } from './Sidebar';

const route = getRouteApi('/admin');

/** The frame of every admin page: sidebar, welcome line, the page, and a phone's tab bar. */
export function AdminArea() {
  const { user } = route.useRouteContext();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isOnline = useIsOnline();
  useNewOrders();
  return (
    <Themed>
      <div className={styles['area']}>
        <a className={styles['skip']} href="#main">
          Skip to content
        </a>
        <Sidebar role={user.role} path={path} />
        <div className={styles['column']}>
          <AdminHeader user={user} />
          <output className={styles['offline']}>
            {!isOnline && (
              <>
                <Icon name="cloudOff" />
                {offlineMessages.needsConnection('use the back office')}
              </>
            )}
          </output>
          <main id="main" className={styles['page']}>
            {isForOwner(path) && user.role !== 'ROLE_OWNER' ? (
              <ForbiddenPage text={adminMessages.forOwner} />
            ) : (
              <Outlet key={user.id} />
            )}
          </main>
        </div>
        <AdminTabBar path={path} />
      </div>
    </Themed>
  );
}
