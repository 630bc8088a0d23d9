/**
 * The contract's range for times: years 1 to 9999 in UTC, which JavaScript and PostgreSQL both support.
 */
const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether an RFC 3339 time is in that range. Leap seconds are rejected. */
export function isTime(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= first && ms <= last;
}
