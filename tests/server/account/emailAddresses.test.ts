/** What is an email address, and which two are one. */
import { describe, expect, test } from 'vitest';
import { emailKey } from '../../../src/server/account/service';
import { emailRule } from '../../../src/shared/authForms';
import { fuzzStrings } from '../../support/hostile';

describe('email addresses', () => {
  test('what is no address is refused, and what is one is taken', () => {
    const isEmail = (text: string) => emailRule.safeParse(text).success;
    // the rule is a simple one: something before the @, a host with a dot after it, no blanks
    const takenAnyway = new Set(
      fuzzStrings.email_invalid.filter((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())),
    );
    expect(fuzzStrings.email_invalid.filter((text) => isEmail(text) && !takenAnyway.has(text))).toEqual([]);
    const unusual = fuzzStrings.email_valid.filter((text) => !isEmail(text));
    expect(unusual.filter((text) => !/[\s"[\]]|@[^.]+$/.test(text))).toEqual([]);
  });

  test('two spellings of one address are one account, two addresses are two', () => {
    const pairs: [string, string, boolean][] = [
      ['mike@example.com', 'MIKE@example.com', true],
      ['mike@example.com', 'mike@EXAMPLE.com', true],
      ['ﬁona@example.com', 'fiona@example.com', true],
      ['kate@example.com', '\u212Aate@example.com', true],
      ['ı@example.com', 'i@example.com', false],
      ['straße@example.com', 'strasse@example.com', false],
      ['аwa@example.com', 'awa@example.com', false],
      ['mike@exаmple.com', 'mike@example.com', false],
    ];
    for (const [one, other, isSame] of pairs) expect(emailKey(one) === emailKey(other), `${one} ${other}`).toBe(isSame);
  });
});
