import * as z from './zod';
import { backupLimits } from './backups';

/** @param period what is counted: 'days' */
function wholeNumber(period: keyof typeof backupLimits) {
  const { least, most } = backupLimits[period];
  const sentence = `Enter a whole number of ${period} from ${least} to ${most}`;
  return z.number(sentence).int(sentence).min(least, sentence).max(most, sentence);
}

/** When backups are made, and how many are kept. Rule: docs/rules/running.md, Backups by the shop */
export const backupScheduleForm = z.object({
  isOn: z.boolean(),
  hour: z.number(),
  days: wholeNumber('days'),
  weeks: wholeNumber('weeks'),
});
