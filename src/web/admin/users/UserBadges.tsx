import { roleLabels } from '../../../shared/usersAccount';
import type { Role } from '../../../shared/auth';
import { stateNames } from '../../../shared/usersStaff';
import { Badge } from '../../ui/Badge';
import styles from './users.module.css';

/** Active or Inactive. */
export function StateBadge({ isEnabled }: { isEnabled: boolean }) {
  return (
    <Badge tone={isEnabled ? 'success' : 'neutral'} hollow={!isEnabled}>
      {isEnabled ? stateNames.on : stateNames.off}
    </Badge>
  );
}

/** Roles differ in text and tint. */
export function RoleBadge({ role }: { role: Role }) {
  return <span className={`${styles['role']} ${styles[role] ?? ''}`}>{roleLabels[role]}</span>;
}
