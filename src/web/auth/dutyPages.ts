import type { Duty } from '../server/errors';

/** The page where each duty is done. Rule: docs/rules/accounts.md, Duties */
export const dutyPages = {
  change_password: '/customer/edit/password',
  set_up_second_factor: '/customer/edit/second-factor',
} as const satisfies Record<Duty, string>;
