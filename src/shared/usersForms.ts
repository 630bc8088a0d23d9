/**
 * Account forms: the user's own profile, and the form with which staff add a user.
 * Rule: docs/rules/accounts.md, Validation
 */
import * as z from './zod';
import { byTerritories, isFilled, isPhoneNumber, requiredText, ruledText, textRules } from './addressForms';
import { accountFields, emailRule, isTooShortForStaff, minStaffPasswordLength, withConfirmation } from './authForms';
import { isFullNameRequired } from './required';
import { accountLimits } from './users';

const isNoDate = 'Enter a date';

/** Optional text; stored as null when empty. */
const optional = (rule: z.ZodType<string, string>) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    rule.nullable().optional(),
  );

const descriptionRule = ruledText(textRules(accountLimits.description), z.string().trim());

const phoneRule = ruledText([...textRules(accountLimits.phoneNumber), isPhoneNumber], z.string().trim());

const dobRule = ruledText([[isCalendarDate, isNoDate]], z.string(isNoDate).trim());

/** The user's own profile. A change of email requires the password, and a code if two-step login is on. */
export const profileForm = z.object({
  fullName: requiredText(accountLimits.fullName, isFullNameRequired),
  email: emailRule,
  description: optional(descriptionRule),
  phoneNumber: optional(phoneRule),
  dob: optional(dobRule),
  password: z.string().optional(),
  otp: z.string().optional(),
});

const isRoleRequired = 'Role is required';
const assignableRoles = ['ROLE_ADMIN', 'ROLE_USER', 'ROLE_CUSTOMER'] as const;

/** 'Add user': the registration form plus a role. */
export const newUserForm = byTerritories((shop) =>
  withConfirmation({
    ...accountFields(shop),
    role: z.enum(assignableRoles, isRoleRequired),
  }).refine(({ role, password }) => role !== 'ROLE_ADMIN' || password.length >= minStaffPasswordLength, {
    path: ['password'],
    error: isTooShortForStaff,
  }),
);

/** 'Invite staff'. The role is always admin. */
export const invitationForm = z.object({
  fullName: requiredText(accountLimits.fullName, isFullNameRequired),
  email: emailRule,
  role: z.literal('ROLE_ADMIN').default('ROLE_ADMIN'),
});

/** A calendar day such as 1990-12-31, from 1900 on. */
function isCalendarDate(text: string): boolean {
  if (!isFilled(text) || text.length !== 10 || !/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '1900') return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
