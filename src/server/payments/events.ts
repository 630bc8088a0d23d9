import { transact } from '../db/transact';
import { claimEvent, finalise, recordOutcome, type Finalised, type FinaliserParts } from './finaliser';
import type { ProviderEvent } from './provider';

/**
 * Takes a verified event. Those about a payment session are settled with the provider's present word on it; all are
 * stored once, also the foreign and the senseless, so that the provider does not send them again and we can see them.
 */
export async function receiveEvent(parts: FinaliserParts, event: ProviderEvent): Promise<Finalised> {
  if (event.livemode !== parts.payments.isLive)
    return store(parts, event, { outcome: 'refused', reason: 'another mode' });
  if (event.sessionId === undefined) return store(parts, event, { outcome: 'ignored' });
  const session = await parts.payments.findSession(event.sessionId);
  if (!session) return store(parts, event, { outcome: 'refused', reason: 'unknown session' });
  return finalise(parts, session, event);
}

async function store({ db, clock }: FinaliserParts, event: ProviderEvent, result: Finalised): Promise<Finalised> {
  await transact(db, async (tx) => {
    if (await claimEvent(tx, event, clock.now())) await recordOutcome(tx, event, result);
  });
  return result;
}
