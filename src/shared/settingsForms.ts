import * as z from './zod';
import { matches, requiredText, ruledText, textRules } from './addressForms';
import { emailRule } from './authForms';
import { isEmailRequired } from './required';
import { settingsLimits, settingsSays } from './settings';

const phoneRule = ruledText(
  [...textRules(settingsLimits.contactPhone), [matches(/^$|^\+?[\d ()./-]{3,40}$/), 'Please enter a phone number']],
  z.string().trim(),
);

const units = (least: number, most: number, sentence: string) =>
  z.number(sentence).int(sentence).min(least, sentence).max(most, sentence);

/** The form of the settings page. The shop's name stands in headers of mails, so it is one line. */
export const settingsForm = z.object({
  shopName: requiredText(settingsLimits.shopName).transform((text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')),
  contactEmail: z.string(isEmailRequired).trim().min(1, { error: isEmailRequired, abort: true }).pipe(emailRule),
  contactPhone: phoneRule,
  timeZone: z.string(settingsSays.unknownTimeZone),
  secondFactorOfStaff: z.boolean(),
  lowStockThreshold: units(0, settingsLimits.lowStockThreshold, settingsSays.wholeUnits),
  newCustomerUnits: units(1, settingsLimits.newCustomerUnits, settingsSays.newCustomerUnits).exactOptional(),
  newCustomerLimits: z.boolean().exactOptional(),
});
