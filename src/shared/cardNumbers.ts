const shortest = 13;
const longest = 19;
const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * @returns whether a text holds a card number: 13 to 19 digits, with or without blanks and dashes, whose check digit is
 * right. One in ten other numbers of that length has such a check digit; order numbers and phone numbers are shorter,
 * and UUIDs, which links to orders hold, are skipped (one in 500 has such digits).
 * Reads the text once. Source: ISO/IEC 7812-1
 */
export function holdsCardNumber(text: string): boolean {
  let digits = '';
  for (const sign of `${text.replaceAll(ids, '.')}.`) {
    if (sign >= '0' && sign <= '9') digits += sign;
    else if (sign !== ' ' && sign !== '-') {
      if (digits.length >= shortest && digits.length <= longest && isChecked(digits)) return true;
      digits = '';
    }
  }
  return false;
}

/** Every second digit from the right counts double; the sum ends in 0 (Luhn). */
function isChecked(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const counted = index % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
