import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isStaff } from '../../../shared/auth';
import type { Schema } from '../../../shared/contract';
import { userStaffMessages } from '../../../shared/usersStaff';
import { ReadFailure } from '../../connection/ReadFailure';
import { Button } from '../../ui/Button';
import { Modal, ModalActions } from '../../ui/Modal';
import form from '../ui/form.module.css';
import { timeOf } from '../ui/dates';
import { promotionsQuery, useUpdateEnabled, useUpdateRole } from './queries';
import { RoleBadge, StateBadge } from './UserBadges';
import styles from './users.module.css';

type Promotions = Schema<'PromotionsAnswer'>['data'];

/** For the owner, on the page of a user who has promoted others. Rule: docs/rules/back-office.md, Promotions */
export function PromotionPanel({ userId }: { userId: string }) {
  const read = useQuery(promotionsQuery(userId));
  const { data } = read;
  if (!data && read.error) {
    const back = { to: '/user/management', label: 'Users' };
    return <ReadFailure read={read} failure={userStaffMessages.listPromotions.failure} back={back} />;
  }
  if (!data || data.promotions.totalElements === 0) return null;
  const title = userStaffMessages.promotedBy(data.by.fullName);
  return (
    <section className={form['box']} aria-label={title}>
      <h2 className={form['heading']}>{title}</h2>
      <PromotionRows {...data} />
    </section>
  );
}

/**
 * For the owner, who has just demoted or deactivated these users: lists the staff they had promoted. Renders nothing if
 * there are none.
 */
export function PromotionDialog({ userIds, onClose }: { userIds: readonly string[]; onClose: () => void }) {
  const reads = useQueries({ queries: userIds.map(promotionsQuery) });
  const failed = reads.find(({ data, error }) => !data && error);
  const lists = reads.flatMap(({ data }) => data ?? []);
  const left = lists.filter(({ promotions }) => promotions.content.some(({ user }) => isStaff(user.role)));
  if (left.length === 0 && !failed) return null;
  return (
    <Modal title={userStaffMessages.leftBehind} onClose={onClose}>
      {failed && <ReadFailure read={failed} failure={userStaffMessages.listPromotions.failure} back={null} />}
      {left.length > 0 && <p className="muted">{userStaffMessages.leftBehindAsks}</p>}
      {left.map((list) => (
        <div key={list.by.userId} className={form['stack']}>
          <h3 className={form['heading']}>{userStaffMessages.promotedBy(list.by.fullName)}</h3>
          <PromotionRows {...list} />
        </div>
      ))}
      <ModalActions onClose={onClose} closeText="Close" />
    </Modal>
  );
}

function PromotionRows({ by, promotions: { content, totalElements } }: Promotions) {
  return (
    <ul className={styles['promotions']}>
      {content.map((promotion) => (
        <PromotionRow key={promotion.user.id} promotion={promotion} isDirect={promotion.by.userId === by.userId} />
      ))}
      {totalElements > content.length && <li>{userStaffMessages.more(totalElements - content.length)}</li>}
    </ul>
  );
}

function PromotionRow({ promotion, isDirect }: { promotion: Schema<'Promotion'>; isDirect: boolean }) {
  const { mutate: setRole } = useUpdateRole();
  const { mutate: setEnabled } = useUpdateEnabled();
  const { user, by, at } = promotion;
  const { id: userId, fullName, role, isEnabled } = user;
  return (
    <li className={styles['promotion']}>
      <div>
        <Link to="/admin/view/user/$userId" params={{ userId }} className={styles['name']}>
          {fullName}
        </Link>
        <span className={styles['badges']}>
          <RoleBadge role={role} />
          <StateBadge isEnabled={isEnabled} />
        </span>
        <p>{isDirect ? timeOf(at) : userStaffMessages.promotedAt(timeOf(at), by.fullName)}</p>
      </div>
      {role === 'ROLE_ADMIN' && (
        <div className={form['actions']}>
          <Button
            aria-label={`Change to User: ${fullName}`}
            variant="outline"
            onClick={() => setRole({ userId, role: 'ROLE_USER' })}
          >
            Change to User
          </Button>
          {isEnabled && (
            <Button variant="outline" onClick={() => setEnabled({ userId, isEnabled: false })}>
              Deactivate<span className="sr-only"> {fullName}</span>
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
