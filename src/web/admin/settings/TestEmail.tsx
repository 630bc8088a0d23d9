import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { emailSettingsMessages as messages } from '../../../shared/emailSettings';
import { testEmailForm } from '../../../shared/emailSettingsForms';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { TextField } from '../../ui/FormField';
import { userQuery } from '../../users/queries';
import form from '../ui/form.module.css';
import styles from './Email.module.css';
import { useSendTestEmail } from './emailQueries';

const route = getRouteApi('/admin');

/** Sends a test email and shows what the mail server answered. */
export function TestEmail() {
  const { user } = route.useRouteContext();
  const { data: account } = useQuery(userQuery(user.id));
  return account && <TestEmailForm email={account.email} />;
}

/** @param props.email the reader's own address */
function TestEmailForm({ email }: { email: string }) {
  const { field, handleSubmit, setError } = useShopForm(testEmailForm, { defaultValues: { to: email } });
  const { mutate, isPending, error, data, variables } = useSendTestEmail();
  useFieldErrors(error, setError);
  const submit = handleSubmit(({ to }) => mutate(to));
  return (
    <form className={`${form['box']} ${form['narrow']}`} noValidate onSubmit={(event) => void submit(event)}>
      <h2 className={form['heading']}>Test</h2>
      <TextField label="Send to" type="email" autoComplete="off" {...field('to')} />
      <div className={form['actions']}>
        <OnlineButton what="send a test email" type="submit" variant="outline" isBusy={isPending}>
          Send test email
        </OnlineButton>
      </div>
      <output className={styles['result']}>
        {data && !isPending && (
          <>
            <span>{data.accepted ? messages.testSent(variables ?? '') : messages.testRefused}</span>
            <span className={styles['response']}>{messages.serverSaid(data.response)}</span>
          </>
        )}
      </output>
    </form>
  );
}
