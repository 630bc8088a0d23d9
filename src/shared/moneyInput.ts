/** Parses amounts as people type them. Rule: docs/rules/screens.md, Money and dates */

/** Message for an amount whose comma could separate thousands or cents: '12,5'. */
export const unclearMoney = 'Use a period and two digits for cents, such as 1,250.00 or 12.50';

/**
 * Reads '12.50', '$12.50', '1,250', '1,250.00', and with a comma before two digits of cents '12,50' and '1.250,00'.
 * @returns cents; 'unclear' if a comma could mean either; undefined for anything that is not an amount
 */
export function parseMoney(text: string): number | 'unclear' | undefined {
  const typed = text.normalize('NFKC').trim();
  const amount = typed
    .replace(/^(?:US\$|USD|\$)/i, '')
    .replace(/(?:USD|\$)$/i, '')
    .trim();
  const digits = amount.replaceAll(/(?<=\d)\s(?=\d)/g, ','); // a space separates thousands like a comma
  const whole = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)$/;
  const { groups } =
    /^(?<whole>[\d,]*)\.(?<cents>\d{1,2})$/.exec(digits) ?? // 12.5, .50, 1,250.00
    /^(?<whole>[\d.]+),(?<cents>\d\d)$/.exec(digits) ?? // 12,50 and 1.250,00
    /^(?<whole>[\d,]+)\.?$/.exec(digits) ?? // 12, 1,250
    {};
  if (!groups) return undefined;
  const dollars = (groups['whole'] || '0').replaceAll('.', ',');
  if (!whole.test(dollars)) return digits.includes(',') ? 'unclear' : undefined;
  const cents = Number(dollars.replaceAll(',', '')) * 100 + Number((groups['cents'] ?? '0').padEnd(2, '0'));
  return Number.isSafeInteger(cents) ? cents : undefined;
}

/** @returns '1250.00' for '$1,250'; returns text that is not an amount unchanged */
export function plainMoney(text: string): string {
  const cents = parseMoney(text);
  return typeof cents === 'number' ? (cents / 100).toFixed(2) : text;
}
