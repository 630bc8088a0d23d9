/** The banner printed at startup. */
import { settingsMessages } from '../../shared/settings';
import type { Config } from '../core/config';
import type { Shop } from './shop';

/** @returns its lines. Rule: docs/rules/running.md, Starting */
export function bannerOf(
  { publicUrl, ownerEmail, payments }: Pick<Config, 'publicUrl' | 'ownerEmail' | 'payments'>,
  { newOwnerPassword, exampleContact }: Pick<Shop, 'newOwnerPassword' | 'exampleContact'>,
): string[] {
  const lines = [`The shop is open at ${publicUrl.origin}`];
  if (newOwnerPassword !== undefined) {
    lines.push(`The owner's login: ${ownerEmail}  ${newOwnerPassword}`, 'The password is shown this once. Keep it.');
  }
  if (payments.provider === 'sandbox')
    lines.push('Payments are a test: no money moves. Card 4242 4242 4242 4242 pays.');
  if (exampleContact !== undefined) {
    const where = `${publicUrl.origin}/admin/settings`;
    lines.push(`${settingsMessages.exampleContact(exampleContact)}. Change it in Settings: ${where}`);
  }
  return lines;
}
