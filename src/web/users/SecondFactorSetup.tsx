import { useEffect } from 'react';
import { encode } from 'uqr';
import { accountMessages } from '../../shared/usersAccount';
import { passwordProofForm, secondFactorForm } from '../../shared/authForms';
import type { Schema } from '../../shared/contract';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import { PasswordField, TextField } from '../ui/FormField';
import styles from './accountForm.module.css';
import { useBeginSecondFactor, useConfirmSecondFactor } from './profileQueries';

interface Props {
  userId: string;
  onCodes: (codes: string[]) => void;
}

/** First asks for the password and creates a key; then asks for a code, to prove that the app has the key. */
export function SetUpSecondFactor({ userId, onCodes }: Props) {
  const begin = useBeginSecondFactor();
  const { field, handleSubmit, setError } = useShopForm(passwordProofForm, {
    defaultValues: { password: '' },
    mode: 'onSubmit',
  });
  useFieldErrors(begin.error, setError);
  if (begin.data) return <FirstCode userId={userId} factor={begin.data.secondFactor} onCodes={onCodes} />;
  const submit = handleSubmit((form) => begin.mutate(form));
  return (
    <form className={`panel ${styles['form']}`} noValidate onSubmit={(event) => void submit(event)}>
      <p>{accountMessages.secondFactorBegin}</p>
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <div className={styles['actions']}>
        <OnlineButton what="set up two-step login" type="submit" isBusy={begin.isPending}>
          Set up
        </OnlineButton>
      </div>
    </form>
  );
}

function FirstCode({ userId, factor, onCodes }: Props & { factor: Schema<'SecondFactor'> }) {
  const confirm = useConfirmSecondFactor(userId, onCodes);
  const { field, handleSubmit, setError, setFocus } = useShopForm(secondFactorForm, {
    defaultValues: { otp: '' },
    mode: 'onSubmit',
  });
  useFieldErrors(confirm.error, setError);
  useEffect(() => setFocus('otp'), [setFocus]); // the previously focused button is gone
  const submit = handleSubmit((form) => confirm.mutate(form));
  return (
    <form className={`panel ${styles['form']}`} noValidate onSubmit={(event) => void submit(event)}>
      <p id="how-to-scan">{accountMessages.secondFactorScan}</p>
      <QrCode text={factor.uri} />
      <p>
        Key: <span className={styles['key']}>{factor.secret}</span>
      </p>
      <TextField
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        aria-describedby="how-to-scan"
        {...field('otp')}
      />
      <div className={styles['actions']}>
        <OnlineButton what="set up two-step login" type="submit" isBusy={confirm.isPending}>
          Confirm
        </OnlineButton>
      </div>
    </form>
  );
}

/** Always dark on light, which cameras need. */
function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text, { border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      className={styles['picture']}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <img> would need a URL, and the key is in no URL
      role="img"
      aria-label={accountMessages.secondFactorPicture}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
