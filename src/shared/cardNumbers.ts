const shortest = 13;
const longest = 19;
const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * Whether a text holds what is a card number: 13 to 19 digits, blanks and dashes between them or not, whose check digit
 * is right. Of ten numbers of that length that are none, one would be taken for one: order numbers and phones are shorter,
 * and ids (one UUID in 500 has such digits), which forms and links to orders hold, are left out.
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
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const counted = place % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
