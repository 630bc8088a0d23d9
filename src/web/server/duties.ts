import type { Schema } from '../../shared/contract';
import type { ErrorCode } from './errors';

/** What somebody has to do before anything else, and the page where it is done. Rule: docs/rules/accounts.md, Duties */
export type Duty = NonNullable<Schema<'MustDo'>>;

export const dutyPages = {
  change_password: '/customer/edit/password',
  set_up_second_factor: '/customer/edit/second-factor',
} as const satisfies Record<Duty, string>;

/** The refusals that every other call answers until then. */
export const dutyByCode: Partial<Record<ErrorCode, Duty>> = {
  password_change_required: 'change_password',
  second_factor_setup_required: 'set_up_second_factor',
};
