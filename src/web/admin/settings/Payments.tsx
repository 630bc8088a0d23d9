import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Schema } from '../../../shared/contract';
import { paymentSettingsMessages as messages } from '../../../shared/paymentSettings';
import { OnlineButton } from '../../connection/OnlineButton';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/FormField';
import { useShopTime } from '../../ui/shopTime';
import { Pending } from '../ui/AdminHead';
import box from '../ui/box.module.css';
import form from '../ui/form.module.css';
import { paymentStatusQuery, useCheckPayments } from './paymentQueries';
import styles from './Payments.module.css';

type PaymentStatus = Schema<'PaymentStatus'>;

/** Whether payments are set up, and what to enter at the provider. Rule: docs/rules/back-office.md, Settings */
export function Payments() {
  const query = useQuery(paymentStatusQuery());
  return (
    <>
      {query.data && (
        <>
          <Mode payments={query.data} />
          <Checks payments={query.data} />
          <Webhook payments={query.data} />
        </>
      )}
      <Pending query={query} failure={messages.getPaymentStatus.failure} what="payments" className={form['waiting']} />
    </>
  );
}

function Mode({ payments: { provider, mode } }: { payments: PaymentStatus }) {
  const isLive = mode === 'live';
  return (
    <section className={box['box']} aria-labelledby="payment-mode">
      <header>
        <h2 id="payment-mode">Mode</h2>
        <Badge tone={isLive ? 'success' : 'warn'}>{isLive ? messages.liveMode : messages.testMode}</Badge>
      </header>
      <p className={styles['text']}>
        {isLive ? messages.live : provider === 'sandbox' ? messages.testProvider : messages.testKeys}
      </p>
    </section>
  );
}

const keyTones = { ok: 'success', wrong: 'error', unchecked: 'warn' } as const satisfies Record<string, BadgeTone>;
const keyWords = { ok: 'Works', wrong: 'Wrong', unchecked: 'Not checked' } as const;

function Checks({ payments }: { payments: PaymentStatus }) {
  const { mutate: check, isPending } = useCheckPayments();
  const { shortTimeOf } = useShopTime();
  const { key, keyCheckedAt, webhookLastSeenAt } = payments;
  return (
    <section className={box['box']} aria-labelledby="payment-checks">
      <header>
        <h2 id="payment-checks">Checks</h2>
        <OnlineButton what="check payments" variant="outline" isBusy={isPending} onClick={() => check(undefined)}>
          Check now
        </OnlineButton>
      </header>
      <ul className={styles['checks']}>
        <Check name="Key" tone={keyTones[key]} word={keyWords[key]}>
          {key === 'ok' && messages.keyOk(keyCheckedAt === null ? '' : shortTimeOf(keyCheckedAt))}
          {key === 'wrong' && messages.keyWrong}
          {key === 'unchecked' && messages.keyUnchecked}
        </Check>
        <Check
          name="Webhook"
          tone={webhookLastSeenAt ? 'success' : 'warn'}
          word={webhookLastSeenAt ? 'Works' : 'Not heard'}
        >
          {webhookLastSeenAt ? messages.webhookSeen(shortTimeOf(webhookLastSeenAt)) : messages.webhookUnseen}
        </Check>
      </ul>
    </section>
  );
}

interface CheckProps {
  name: string;
  tone: BadgeTone;
  word: string;
  children: ReactNode;
}

function Check({ name, tone, word, children }: CheckProps) {
  return (
    <li>
      <p>
        <b>{name}</b>
        <small>{children}</small>
      </p>
      <Badge tone={tone}>{word}</Badge>
    </li>
  );
}

function Webhook({ payments: { webhookUrl, events } }: { payments: PaymentStatus }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(webhookUrl);
    setCopied(true);
  };
  return (
    <section className={box['box']} aria-labelledby="payment-webhook">
      <header>
        <h2 id="payment-webhook">Webhook</h2>
      </header>
      <div className={styles['webhook']}>
        <p>{messages.webhookHint}</p>
        <div className={styles['address']}>
          <TextField label="Address" value={webhookUrl} readOnly onFocus={({ target }) => target.select()} />
          <Button variant="outline" onClick={() => void copy()}>
            {isCopied ? 'Copied' : 'Copy'}
          </Button>
        </div>
        <ul aria-label="Events">
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
