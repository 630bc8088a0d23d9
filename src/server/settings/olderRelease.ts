import { isReleaseBeforeSumsConnected } from '../db/formerProcesses';
import type { Tx } from '../db/transact';
import { conflict } from '../http/problems';

/**
 * Call it before a delivery method, a tax rate or a discount code is switched on: a process of an older release would
 * place orders without them, for another total than the one that was shown. Such a process cannot start again, since it
 * refuses the newer database.
 * @throws Problem 409 older_release_running
 * Rule: docs/rules/selling.md, Beside an older release
 */
export async function requireNoOlderRelease(tx: Tx): Promise<void> {
  if (!(await isReleaseBeforeSumsConnected(tx))) return;
  throw conflict(
    'older_release_running',
    'An older release of the shop is still running. Please try again when it has ended.',
  );
}
