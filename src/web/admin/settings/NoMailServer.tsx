import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { mailMessages } from '../../../shared/mail';
import { Icon } from '../../ui/Icon';
import notice from '../ui/notice.module.css';
import { mailStateQuery } from './queries';

const route = getRouteApi('/admin');

/** A notice while no email goes out. Rule: docs/rules/contact-and-mail.md, The mail server */
export function NoMailServer() {
  const { user } = route.useRouteContext();
  const { data: state = 'working' } = useQuery(mailStateQuery());
  if (state === 'working') return null;
  return (
    <section className={notice['notice']} aria-label="Email">
      <Icon name="alert" />
      <p>{state === 'none' ? mailMessages.noServer : mailMessages.failingServer}</p>
      {user.role === 'ROLE_OWNER' && (
        <Link to="/admin/settings/$place" params={{ place: 'email' }}>
          {mailMessages.setUp}
        </Link>
      )}
    </section>
  );
}
