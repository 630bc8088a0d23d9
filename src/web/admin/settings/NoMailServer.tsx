import { useQuery } from '@tanstack/react-query';
import { mailMessages } from '../../../shared/mail';
import { Icon } from '../../ui/Icon';
import notice from '../ui/notice.module.css';
import { sendsMailQuery } from './queries';

/** A notice that no email is sent while there is no mail server. Rule: docs/rules/contact-and-mail.md, Mails */
export function NoMailServer() {
  const { data: sendsMail } = useQuery(sendsMailQuery());
  if (sendsMail !== false) return null;
  return (
    <section className={notice['notice']} aria-label="Email">
      <Icon name="alert" />
      <p>{mailMessages.noServer}</p>
    </section>
  );
}
