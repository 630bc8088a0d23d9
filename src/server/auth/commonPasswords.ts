import { authSays } from '../../shared/auth';
import { invalid } from '../http/problems';
import list from './commonPasswords.json' with { type: 'json' };

const common = new Set([...list.passwords.split(' '), ...list.longPasswords.split(' ')]);

/**
 * Refuses a password that everybody tries first; the list lies beside this file, with its source.
 * @param field of the form that sent it
 * @throws Problem 400 invalid_request
 * Source: decisions §2, ASVS 6.2.4
 */
export function refuseCommonPassword(password: string, field = 'password'): void {
  if (!common.has(password.normalize('NFKC').trim().toLowerCase())) return;
  throw invalid(authSays.commonPassword, [{ field, message: authSays.commonPassword }]);
}
