import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { emailSettingsMessages as messages, failingInWords, securityLabels } from '../../../shared/emailSettings';
import { mailMessages } from '../../../shared/mail';
import { Badge } from '../../ui/Badge';
import { Icon } from '../../ui/Icon';
import { Pending } from '../ui/AdminHead';
import box from '../ui/box.module.css';
import { Facts } from '../ui/Facts';
import form from '../ui/form.module.css';
import notice from '../ui/notice.module.css';
import styles from './Email.module.css';
import { emailSettingsQuery } from './emailQueries';
import { MailServerForm } from './MailServerForm';
import { TestEmail } from './TestEmail';

type EmailSettings = Schema<'EmailSettings'>;

/** The shop's mail server, whether it works, and a test. Rule: docs/rules/contact-and-mail.md, The mail server */
export function Email() {
  const query = useQuery({ ...emailSettingsQuery(), staleTime: 0 });
  const { data: email, isFetchedAfterMount } = query;
  return (
    <>
      {email && <State email={email} />}
      {email?.isFixed && <FixedServer email={email} />}
      {email && !email.isFixed && isFetchedAfterMount && <MailServerForm email={email} />}
      {email && email.state !== 'none' && <TestEmail />}
      <Pending
        query={query}
        failure={messages.getEmailSettings.failure}
        what="the email settings"
        className={form['waiting']}
      />
    </>
  );
}

function State({ email }: { email: EmailSettings }) {
  const { state, failure } = email;
  if (state === 'working')
    return (
      <p className={styles['working']}>
        <Badge tone="success">Working</Badge> {messages.working}
      </p>
    );
  return (
    <section className={notice['notice']} aria-label="Email">
      <Icon name="alert" />
      {state === 'none' && <p>{mailMessages.noServer}</p>}
      {state === 'failing' && (
        <div className={styles['failing']}>
          <p>
            <b>No email is going out.</b> {failingInWords(email)}
          </p>
          {failure?.response && <p className={styles['response']}>{messages.serverSaid(failure.response)}</p>}
        </div>
      )}
    </section>
  );
}

/** While SMTP_URL sets it. */
function FixedServer({ email: { host, port, security, user, sender } }: { email: EmailSettings }) {
  return (
    <section className={box['box']} aria-labelledby="mail-server">
      <header>
        <h2 id="mail-server">Mail server</h2>
      </header>
      <div className={styles['content']}>
        <p>{messages.fixed}</p>
        <Facts
          rows={[
            ['Server', host],
            ['Port', String(port)],
            ['Security', securityLabels[security]],
            ['Username', user || 'None'],
            ['From address', sender],
          ]}
        />
      </div>
    </section>
  );
}
