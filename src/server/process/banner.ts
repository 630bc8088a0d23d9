/** The banner printed at startup. */
import { settingsMessages } from '../../shared/settings';
import type { Config } from '../core/config';
import type { Shop } from './shop';

/** @returns its lines. Rule: docs/rules/running.md, Starting */
export function bannerOf(
  { publicUrl, ownerEmail, payments }: Pick<Config, 'publicUrl' | 'ownerEmail' | 'payments'>,
  { newOwnerPassword, exampleContact }: Pick<Shop, 'newOwnerPassword' | 'exampleContact'>,
): string[] {
  const lines = [`Your shop is running at ${publicUrl.origin}`];
  if (newOwnerPassword !== undefined) {
    lines.push(`Owner login: ${ownerEmail} ${newOwnerPassword}`, "Save this password now. You won't see it again.");
  }
  if (payments.provider === 'sandbox')
    lines.push('Payments are in test mode, so no real money moves. Pay with card 4242 4242 4242 4242.');
  if (exampleContact !== undefined) {
    const where = `${publicUrl.origin}/admin/settings/general`;
    lines.push(`${settingsMessages.exampleContact(exampleContact)}. Update it in Settings: ${where}`);
  }
  return lines;
}
