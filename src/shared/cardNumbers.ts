/** Patterns of UUIDs (contained in links to orders) and of UPS tracking numbers. */
const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b1Z[0-9A-Z]{16}\b/gi;
/** Digits, either unbroken or in groups separated by spaces or hyphens. */
const digitRuns = /\d+(?:[ \u00a0-]{1,3}\d+)*/g;
const separators = /[ \u00a0-]+/;

/** Prefixes and lengths of each network's numbers. Source: ISO/IEC 7812-1, the networks' own tables */
const networks: readonly { name: string; prefix: RegExp; lengths: readonly number[] }[] = [
  { name: 'Visa', prefix: /^4/, lengths: [13, 16, 19] },
  { name: 'Mastercard', prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { name: 'American Express', prefix: /^3[47]/, lengths: [15] },
  { name: 'Discover', prefix: /^(?:6011|64[4-9]|65)/, lengths: [16] },
  { name: 'Diners Club', prefix: /^(?:30[0-5]|309|36|38|39)/, lengths: [14] },
  { name: 'JCB', prefix: /^35(?:2[89]|[3-8])/, lengths: [16] },
  { name: 'UnionPay', prefix: /^62/, lengths: [16, 17, 18, 19] },
];

/** How cards group their digits: in fours, or as American Express, Diners Club, old Visa and UnionPay cards do. */
const groupings =
  '13 14 15 16 17 18 19 4-4-4-1 4-4-4-2 4-4-4-3 4-4-4-4 4-4-4-4-1 4-4-4-4-2 4-4-4-4-3 4-6-5 4-6-4 4-3-3-3 6-13 8-8'.split(
    ' ',
  );
const maxGroups = 5;

/**
 * @returns whether a text contains a card number: a network's prefix and length, a valid check digit, and digits that
 *   are unbroken or grouped as on a card. Dates, barcodes, tracking numbers, order numbers and phone numbers do not
 *   count.
 * Rule: docs/rules/wire.md, Validation
 */
export function holdsCardNumber(text: string): boolean {
  for (const [run] of text.replaceAll(ids, '.').matchAll(digitRuns)) {
    const groups = run.split(separators);
    // A longer number in groups of four, such as a tracking number, is matched from its start only.
    if (groups.some((_, at) => groups[at - 1]?.length !== 4 && startsWithCardNumber(groups.slice(at, at + maxGroups))))
      return true;
  }
  return false;
}

function startsWithCardNumber(groups: readonly string[]): boolean {
  return groups.some((_, at) => {
    const first = groups.slice(0, at + 1);
    return groupings.includes(first.map(({ length }) => length).join('-')) && isCardNumber(first.join(''));
  });
}

const isCardNumber = (digits: string): boolean =>
  networks.some(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits)) &&
  endsInCheckDigit(digits, luhn) &&
  !(digits.length === 13 && endsInCheckDigit(digits, barcode));

/** Weights every second digit from the right, starting next to the check digit; the sum must end in 0. */
function endsInCheckDigit(digits: string, weigh: (digit: number) => number): boolean {
  const last = digits.length - 1;
  const sum = Array.from(digits, Number).reduce(
    (sum, digit, at) => sum + ((last - at) % 2 === 0 ? digit : weigh(digit)),
    0,
  );
  return sum % 10 === 0;
}

const luhn = (digit: number) => (digit > 4 ? digit * 2 - 9 : digit * 2);

/** EAN-13: one in a hundred would also pass as a 13-digit Visa number, which is no longer issued. */
const barcode = (digit: number) => digit * 3;
