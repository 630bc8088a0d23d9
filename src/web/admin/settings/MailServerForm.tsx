import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schema } from '../../../shared/contract';
import { emailSettingsMessages as messages, securityLabels, usualPorts } from '../../../shared/emailSettings';
import { emailSettingsForm } from '../../../shared/emailSettingsForms';
import { userMessages } from '../../../shared/users';
import { accountMessages } from '../../../shared/usersAccount';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { Button } from '../../ui/Button';
import { focusHeading } from '../../ui/focusHeading';
import { PasswordField, SelectField, TextField } from '../../ui/FormField';
import { userQuery } from '../../users/queries';
import form from '../ui/form.module.css';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import { useRemoveMailServer, useSetEmailSettings } from './emailQueries';
import { ProofDialog } from './ProofDialog';

type EmailSettings = Schema<'EmailSettings'>;
type Security = EmailSettings['security'];

const route = getRouteApi('/admin');
const secrets = ['password', 'currentPassword', 'otp'] as const;

export function MailServerForm({ email }: { email: EmailSettings }) {
  const { user } = route.useRouteContext();
  const { data: account } = useQuery(userQuery(user.id));
  const values = useShopForm(emailSettingsForm, { defaultValues: fieldsOf(email), mode: 'onSubmit' });
  const { field, handleSubmit, formState, getValues, setError, setValue, reset } = values;
  useStaffDraft('settings/email', values, { secrets });
  const { mutate, isPending, error } = useSetEmailSettings((saved) => reset(fieldsOf(saved)));
  useFieldErrors(error, setError);
  const { question } = useLeaveGuard(formState.isDirty);
  const [isRemoving, setRemoving] = useState(false);
  const needsCode = account?.hasSecondFactor ?? false;
  const submit = handleSubmit(({ password, otp, ...server }) => {
    if (needsCode && !otp) return setError('otp', { message: userMessages.codeForEmail }, { shouldFocus: true });
    const body = { ...server, ...(password && { password }), ...(otp && { otp }) };
    mutate(body);
  });
  /** The usual port follows the security, unless another one was entered. */
  const choosePort = ({ target }: { target: { value: string } }) => {
    const ports: number[] = Object.values(usualPorts);
    if (ports.includes(getValues('port')))
      setValue('port', usualPorts[target.value as Security], { shouldDirty: true, shouldValidate: true });
  };
  return (
    <>
      <form className={`${form['box']} ${form['narrow']}`} noValidate onSubmit={(event) => void submit(event)}>
        <h2 className={form['heading']}>Mail server</h2>
        <TextField label="Server" autoComplete="off" placeholder="smtp.example.com" {...field('host')} />
        <div className={form['two']}>
          <SelectField label="Security" {...field('security', { onChange: choosePort })}>
            {Object.entries(securityLabels).map(([security, label]) => (
              <option key={security} value={security}>
                {label}
              </option>
            ))}
          </SelectField>
          <TextField label="Port" inputMode="numeric" autoComplete="off" {...field('port', { setValueAs: asNumber })} />
        </div>
        <div className={form['two']}>
          <TextField label="Username" autoComplete="off" hint={messages.loginHint} {...field('user')} />
          <PasswordField
            label="Password"
            autoComplete="off"
            hint={email.hasPassword ? messages.keepPassword : undefined}
            {...field('password')}
          />
        </div>
        <TextField label="From address" type="email" autoComplete="off" {...field('sender')} />
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          hint={messages.yourPassword}
          {...field('currentPassword')}
        />
        {needsCode && (
          <TextField label="Code" autoComplete="one-time-code" hint={accountMessages.codeHint} {...field('otp')} />
        )}
        <div className={form['actions']}>
          <OnlineButton what="save" type="submit" isBusy={isPending}>
            Save and check
          </OnlineButton>
          {email.state !== 'none' && (
            <Button variant="outline" onClick={() => setRemoving(true)}>
              Remove mail server
            </Button>
          )}
        </div>
        {question}
      </form>
      {/* not in the form: an event in a dialog bubbles to the parents of its component */}
      {isRemoving && (
        <RemoveDialog onRemoved={(without) => reset(fieldsOf(without))} onClose={() => setRemoving(false)} />
      )}
    </>
  );
}

interface RemoveProps {
  onRemoved: (without: EmailSettings) => void;
  onClose: () => void;
}

function RemoveDialog({ onRemoved, onClose }: RemoveProps) {
  const remove = useRemoveMailServer((without) => {
    onRemoved(without);
    onClose();
    focusHeading(); // the button that opened it is gone
  });
  return (
    <ProofDialog
      title="Remove the mail server?"
      text={messages.removeAsks}
      action="Remove"
      label="Your password"
      isDangerous
      change={remove}
      onClose={onClose}
    />
  );
}

const fieldsOf = ({ host, port, security, user, sender }: EmailSettings) => ({
  host,
  port,
  security,
  user,
  sender,
  password: '',
  currentPassword: '',
  otp: '',
});

const asNumber = (text: unknown) => (text === '' ? Number.NaN : Number(text));
