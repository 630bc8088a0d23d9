import { expect, test } from 'vitest';
import { dayAt, nextDay, startOfDay } from '../../src/shared/shopDays';

const days: string[] = [];
for (let day = '2026-01-01'; day < '2027-01-01'; day = nextDay(day)) days.push(day);

test('a day begins at midnight in the shop’s time zone, or when its date first exists there', () => {
  expect(startOfDay('2026-12-01', 'America/New_York').toISOString()).toBe('2026-12-01T05:00:00.000Z');
  expect(startOfDay('2026-07-01', 'America/New_York').toISOString()).toBe('2026-07-01T04:00:00.000Z');
  expect(startOfDay('2026-09-06', 'America/Santiago').toISOString()).toBe('2026-09-06T04:00:00.000Z'); // from 0:00 to 1:00
  expect(startOfDay('2026-12-01', 'Pacific/Kiritimati').toISOString()).toBe('2026-11-30T10:00:00.000Z');
  expect(startOfDay('2026-12-01', 'Pacific/Pago_Pago').toISOString()).toBe('2026-12-01T11:00:00.000Z');
});

test('each day ends where the next one begins, through the months in which clocks change', () => {
  for (const zone of ['America/New_York', 'America/Havana', 'America/Santiago', 'Asia/Kolkata'])
    for (const day of days.filter((each) => /-(?:03|04|09|11)-/.test(each))) {
      const start = startOfDay(day, zone);
      expect(dayAt(start, zone)).toBe(day);
      expect(dayAt(new Date(start.getTime() - 1), zone) < day).toBe(true);
    }
});
