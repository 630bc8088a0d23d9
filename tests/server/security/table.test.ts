/** docs/security.md says what proves what: this keeps it from saying so of a test, or a limit, that is not there. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { maxPasswordLength, minStaffPasswordLength } from '../../../src/shared/authForms';
import { maxQuantity } from '../../../src/shared/cart';
import { catalogLimits } from '../../../src/shared/catalog';
import { contactLimits } from '../../../src/shared/contact';
import { maxOrderCents, maxOrderLines, minOrderCents } from '../../../src/shared/orders';
import { accountLimits } from '../../../src/shared/users';
import { accessTokenMinutes } from '../../../src/server/auth/accessTokens';
import {
  codeRateLimits,
  contactRateLimits,
  forgotRateLimits,
  loginRateLimits,
  proofRateLimits,
  registerRateLimits,
} from '../../../src/server/auth/rateLimits';
import { resetMinutes } from '../../../src/server/auth/letters';

const page = readFileSync('docs/security.md', 'utf8');

/** The rows of the table under a heading, each as its cells. */
function rowsUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '').trim()));
}

const requirements = rowsUnder('What proves it');

test('every requirement is there once', () => {
  const ids = requirements.map(([id]) => id);
  expect(ids).toHaveLength(71);
  expect(new Set(ids).size).toBe(71);
});

describe('each test that the table names is there', () => {
  test.each(requirements.map(([id, , proof]) => [id, proof ?? '']))('for %s', (_, proof) => {
    const named = proof.split('<br>').map((one) => /^`(tests\/[\w./]+)` (.+)$/.exec(one));
    expect(named).not.toContain(null);
    for (const [, file = '', name = ''] of named.filter((one) => one !== null)) {
      expect(existsSync(file), file).toBe(true);
      expect(readFileSync(file, 'utf8'), file).toContain(name);
    }
  });
});

test('nothing is left without a test', () => {
  expect(requirements.filter(([, , proof = '']) => proof.startsWith('open'))).toEqual([]);
});

test('each limit of the table is the one that the code has', () => {
  const [account, address] = loginRateLimits('a@example.com', '203.0.113.1');
  const [linksOfAccount, linksOfAddress] = forgotRateLimits('a@example.com', '203.0.113.1');
  const [registrations] = registerRateLimits('203.0.113.1');
  const [proofs] = proofRateLimits('a');
  const [codes] = codeRateLimits('a');
  const [messages] = contactRateLimits('203.0.113.1');
  expect(rowsUnder('Limits').map(([name, value]) => [name, Number(value)])).toEqual([
    ['characters of a password, at most', maxPasswordLength],
    ['characters of a password of staff, at least', minStaffPasswordLength],
    ['addresses of an account', accountLimits.addresses],
    ['characters of a description of oneself', accountLimits.description],
    ['characters of a message to the owner', contactLimits.reason],
    ['units of a product in a cart and an order', maxQuantity],
    ['lines of an order', maxOrderLines],
    ['cents of an order, at least', minOrderCents],
    ['cents of an order, at most', maxOrderCents],
    ['units of a product in stock', catalogLimits.quantity],
    ['characters of a product’s description', catalogLimits.productDescription],
    ['minutes that an access token lives', accessTokenMinutes],
    ['minutes that a reset link works', resetMinutes],
    ['failed logins of an account in 15 minutes', account?.limit],
    ['failed logins of an address in 15 minutes', address?.limit],
    ['reset links of an account in 15 minutes', linksOfAccount?.limit],
    ['reset links of an address in 15 minutes', linksOfAddress?.limit],
    ['registrations of an address in 15 minutes', registrations?.limit],
    ['wrong present passwords of a user in 15 minutes', proofs?.limit],
    ['wrong one-time codes of a user in 15 minutes', codes?.limit],
    ['messages to the owner of an address in 15 minutes', messages?.limit],
  ]);
});
