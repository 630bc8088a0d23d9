import type { Schema } from '../../shared/contract';
import type { Connection } from '../db/core/transact';
import { readKeyCheck } from './keyCheck';
import type { Payments } from './provider';
import { eventTypes } from './providerEvents';
import { readLastWebhook } from './webhookWatch';

/** Whether payments are set up, without asking the provider. Rule: docs/rules/orders-and-payment.md, The secret key */
export async function readPaymentStatus(connection: Connection, payments: Payments): Promise<Schema<'PaymentStatus'>> {
  const check = await readKeyCheck(connection, payments.keyId);
  const lastSeenAt = await readLastWebhook(connection);
  return {
    provider: payments.name,
    mode: payments.mode,
    key: check ? (check.isAccepted ? 'ok' : 'wrong') : 'unchecked',
    keyCheckedAt: check?.checkedAt ?? null,
    webhookLastSeenAt: lastSeenAt?.toISOString() ?? null,
    webhookUrl: payments.webhookUrl,
    events: [...eventTypes],
  };
}
