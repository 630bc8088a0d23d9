/**
 * Which strings are email addresses, which two count as the same, and that the mailer can write to every address the
 * forms accept.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emailKey } from '../../../src/server/users/core/service';
import { MailRefused, openMailer } from '../../../src/server/mail/mailer';
import { emailRule } from '../../../src/shared/authForms';
import { logIn, newcomer, openAccount } from '../../support/auth';
import { fuzzStrings } from '../../support/hostile';
import { startMailServer, type MailServer } from '../../support/mailServer';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let server: MailServer;
beforeAll(async () => {
  [shop, server] = await Promise.all([openShop(), startMailServer()]);
});
afterAll(() => Promise.all([shop.close(), server.close()]));

const isEmail = (text: string) => emailRule.safeParse(text).success;

describe('email addresses', () => {
  test('invalid addresses are rejected and valid ones accepted', () => {
    // more than a strict parser accepts: any letters before the @
    const takenAnyway = /^[\p{L}\d'=“”]+@[a-z]+\.com$/u;
    const invalid = fuzzStrings.email_invalid.map((text) => text.trim()).filter((text) => !takenAnyway.test(text));
    expect(invalid.filter(isEmail)).toEqual([]);
    // less than a strict parser accepts: no quotes, backslashes, or hosts that have no dot or only numbers
    const refusedAnyway = /["\\]|@[^.]+$|@\[?[\d.]+\]?$/;
    expect(fuzzStrings.email_valid.filter((text) => !isEmail(text) && !refusedAnyway.test(text))).toEqual([]);
  });

  test('two spellings of one address are one account; two addresses are two accounts', () => {
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

  test('mail to an account goes to its normalized address, however it was typed', async () => {
    const { email } = newcomer();
    const typed = email.replace('a', 'ａ').replace('@e', '@ｅ');
    const { data } = await shop.call('register', { body: newcomer({ email: typed }) });
    expect(data.user.email).toBe(email);
  });
});

describe('an address that a form accepts', () => {
  const taken: [typed: string, toMailServer?: string][] = [
    ['ana@example.com'],
    ["ana+o'neil_{x}!#$%&*-/=?^`|~@example.com"],
    ['a@b.co'],
    ['Ana.B@Sub-Domain.Example.COM', 'Ana.B@sub-domain.example.com'],
    ['=?utf-8?q?ana?=@example.com'],
    [`${'a'.repeat(64)}@example.com`],
    [`a@${'b'.repeat(63)}.com`],
    [`a@${`${'b'.repeat(60)}.`.repeat(4)}com`],
    ['andré@example.com'],
    ['用户@example.com'],
    ['ana@münchen.example'],
    ['ana@1.example'],
  ];
  test.each(taken)('is one that the mailer can write to: %s', async (typed, toMailServer = typed) => {
    expect(emailRule.safeParse(` ${typed} `)).toMatchObject({ success: true, data: typed });
    await sendTo(typed);
    expect(server.received.at(-1)?.to).toEqual([toMailServer]);
  });

  const refused = [
    'a,b@x.test',
    'a;b@x.test',
    'a:b@x.test',
    'a<b@x.test',
    'a>b@x.test',
    '<ana@example.com>',
    'Ana <ana@example.com>',
    'a(b)@x.test',
    'a[b]@x.test',
    'a\\b@x.test',
    'a"b@x.test',
    '"a b"@x.test',
    'a b@x.test',
    'a\tb@x.test',
    'ana@example.com\r\nBcc: ben@example.com',
    'ana@example.com,ben@example.com',
    'a@b@x.test',
    'ana..b@example.com',
    '.ana@example.com',
    'ana.@example.com',
    'ana@example.com.',
    'ana@.example.com',
    'ana@example..com',
    'ana@-example.com',
    'ana@example-.com',
    'ana@example',
    'ana@exam_ple.com',
    'ana@example.com:25',
    'ana@example.com/x',
    'ana@exam,ple.com',
    'ana@exam(x)ple.com',
    'ana@192.0.2.1',
    'ana@[192.0.2.1]',
    'a\u200bb@example.com',
    'a\u00adb@example.com',
    'ana@exam\u3002ple.com',
    'a\u2028b@example.com',
    '\ud800@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${`${'b'.repeat(60)}.`.repeat(4)}comm.example`,
  ];
  test.each(refused.map((text) => [JSON.stringify(text), text]))(
    'excludes %s, and the mailer rejects it too',
    async (_, text) => {
      expect(isEmail(text)).toBe(false);
      const before = server.received.length;
      await expect(sendTo(text)).rejects.toThrow(MailRefused);
      expect(server.received).toHaveLength(before);
    },
  );

  function sendTo(recipient: string) {
    const mailer = openMailer({ smtpUrl: server.url, from: 'shop@example.com', folder: '' });
    const sender = {
      name: 'Shop',
      email: 'shop@example.com',
      phone: '',
      address: '',
      timeZone: 'UTC',
      units: 'us' as const,
    };
    const letter = { subject: 'Hello', preheader: '', paragraphs: ['Hello'], why: 'account' as const };
    return mailer.send({ mailId: randomUUID(), recipient, letter, sender, date: shop.clock.now() });
  }
});

test.each(['a,b@x.test', 'a"b@x.test', 'ab@exam_ple.com'])(
  'an account older than the rule can still log in: %s',
  async (email) => {
    const account = await openAccount(shop);
    await shop.pool.query('update users set email = $1, email_key = $1 where id = $2', [email, account.id]);
    await logIn(shop, { ...account, email });
  },
);
