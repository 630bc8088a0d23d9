/** The one rule of the contract for times: of the years 1 to 9999 in UTC, which JavaScript and the database both know. */
const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a text of the form of RFC 3339 is such a time. A leap second is none. */
export function isTime(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= first && ms <= last;
}
