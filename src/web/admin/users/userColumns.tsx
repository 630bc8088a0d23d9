import { Link } from '@tanstack/react-router';
import type { Session } from '../../api/session';
import { columnsOf } from '../table/features';
import { dayOf } from '../when';
import { type User } from './queries';
import { RoleBadge, StateBadge } from './UserBadges';
import { UserMenu } from './UserMenu';
import styles from './users.module.css';

const { accessor, columns, display } = columnsOf<User>();

/** Source: specification §2 */
export const userColumns = (me: Session, onInactivate: (user: User) => void) =>
  columns([
    accessor('fullName', {
      header: 'Full Name',
      cell: ({ row: { original } }) => (
        <Link to="/admin/view/user/$userId" params={{ userId: original.id }} className={styles['name']}>
          {original.fullName}
        </Link>
      ),
      meta: { onPhone: 'title' },
    }),
    accessor('email', { header: 'Email', meta: { isMuted: true } }),
    accessor('createdAt', {
      header: 'Joined',
      cell: ({ getValue }) => dayOf(getValue()),
      meta: { isMuted: true },
    }),
    accessor('isEnabled', {
      id: 'status',
      header: 'Status',
      cell: ({ getValue }) => <StateBadge isEnabled={getValue()} />,
    }),
    accessor('role', { header: 'Role', cell: ({ getValue }) => <RoleBadge role={getValue()} /> }),
    display({
      id: 'menu',
      header: () => <span className="sr-only">Menu</span>,
      cell: ({ row: { original } }) => <UserMenu user={original} me={me} onInactivate={onInactivate} />,
    }),
  ]);
