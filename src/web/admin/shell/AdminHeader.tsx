import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paymentSettingsMessages } from '../../../shared/paymentSettings';
import { Avatar } from '../../users/Avatar';
import { userQuery } from '../../users/queries';
import type { Session } from '../../server/session';
import { deferMenu } from '../../ui/deferMenu';
import { Badge } from '../../ui/Badge';
import brandStyles from '../../ui/Brand.module.css';
import { Icon } from '../../ui/Icon';
import { useShopFacts } from '../../ui/shopFacts';
import { paymentModeQuery } from '../settings/queries';
import styles from './AdminHeader.module.css';

const AccountMenu = deferMenu(async () => (await import('./AccountMenu')).AccountMenu);

/** The signed-in user and the account menu. Rule: docs/rules/back-office.md, Shell */
export function AdminHeader({ user }: { user: Session }) {
  const { data: account } = useQuery(userQuery(user.id));
  const { data: mode } = useQuery(paymentModeQuery());
  const { logo } = useShopFacts();
  const fullName = account?.fullName ?? user.fullName;
  return (
    <header className={styles['top']}>
      <Link to="/dashboard" className={styles['lid']} aria-label="Dashboard">
        <span className={brandStyles['lid']} aria-hidden="true">
          {logo ? <img {...logo} alt="" /> : '&'}
        </span>
      </Link>
      <p className={styles['welcome']}>
        <span>Welcome,</span> <b>{fullName}</b> <small>{account?.email}</small>
      </p>
      {mode === 'test' && (
        <span className={styles['mode']} title={paymentSettingsMessages.testMode}>
          <Badge tone="warn">Test</Badge>
        </span>
      )}
      <AccountMenu className={styles['account']} role={user.role}>
        <Avatar fullName={fullName} picture={account?.picture ?? null} className={styles['avatar']} />
        <span className="sr-only">Account</span>
        <Icon name="chevronDown" />
      </AccountMenu>
    </header>
  );
}
