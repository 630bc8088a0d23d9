/** docs/security.md says what proves what: this keeps it from saying so of a test, or a limit, that is not there. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { maxPasswordLength, minStaffPasswordLength } from '../../../src/shared/authForms';
import { maxQuantity } from '../../../src/shared/cart';
import { catalogLimits } from '../../../src/shared/catalog';
import { contactLimits } from '../../../src/shared/contact';
import { holdMinutes, lastHoldMinutes, unpaidEndsHours, waitMinutes } from '../../../src/shared/holds';
import { listLimits } from '../../../src/shared/lists';
import { maxOrderCents, maxOrderLines, minOrderCents } from '../../../src/shared/orders';
import { accountLimits } from '../../../src/shared/users';
import {
  codeRateLimits,
  contactRateLimits,
  emailChangeRateLimits,
  forgotRateLimits,
  loginRateLimits,
  loginSuccessLimits,
  proofLinkRateLimits,
  proofRateLimits,
  registerRateLimits,
  takeoverRateLimits,
  unprovenResetLimits,
} from '../../../src/server/auth/rateLimits';
import { maxKnownAccounts } from '../../../src/server/auth/knownDevices';
import { emailLinkMinutes, resetMinutes } from '../../../src/server/auth/linkTokens';
import { noticesAnHour } from '../../../src/server/auth/notices';
import {
  budgets,
  connectionsOf,
  endingsKept,
  refusalPace,
  underWay,
  uploadsAtOnce,
} from '../../../src/server/http/budgetTable';
import { streamLimits } from '../../../src/server/http/live';
import { turnLimits } from '../../../src/server/auth/passwords';
import { accessTokenMinutes } from '../../../src/server/auth/tokenKeys';
import { proofLimits } from '../../../src/server/auth/proofs';

const page = readFileSync('docs/security.md', 'utf8');

/** The rows of a table under a heading, each as its cells. @param number which of the section's tables, from 0 */
function rowsUnder(heading: string, number = 0): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  const tables = text
    .trim()
    .split('\n\n')
    .filter((part) => part.startsWith('| '));
  const rows = (tables[number] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '').trim()));
}

const requirements = rowsUnder('What proves it');

test('every requirement is there once', () => {
  const ids = requirements.map(([id]) => id);
  expect(ids).toHaveLength(73);
  expect(new Set(ids).size).toBe(73);
});

/** @param proof tests as the tables name them: the file, then how the test's name begins */
function requireTests(proof: string): void {
  const named = proof.split('<br>').map((one) => /^`(tests\/[\w./]+)` (.+)$/.exec(one));
  expect(named).not.toContain(null);
  for (const [, file = '', name = ''] of named.filter((one) => one !== null)) {
    expect(existsSync(file), file).toBe(true);
    expect(readFileSync(file, 'utf8'), file).toContain(name);
  }
}

describe('each test that the table names is there', () => {
  test.each(requirements.map(([id, , proof]) => [id, proof ?? '']))('for %s', (_, proof) => requireTests(proof));
});

describe('each budget has a test, which is there', () => {
  const proofs = [0, 1].flatMap((table) => rowsUnder('Budgets', table).map((row) => [row[0], row.at(-1) ?? '']));
  test.each(proofs)('for %s', (_, proof) => requireTests(proof ?? ''));
});

test('nothing is left without a test', () => {
  expect(requirements.filter(([, , proof = '']) => proof.startsWith('open'))).toEqual([]);
});

test('each limit of the table is the one that the code has', () => {
  const [stranger, known] = [{ address: '203.0.113.1' }, { address: '203.0.113.1', knownDevice: 'a' }];
  const [account, address] = loginRateLimits('a@example.com', stranger);
  const [device] = loginRateLimits('a@example.com', known);
  const [linksOfAccount, linksOfAddress] = forgotRateLimits('a@example.com', stranger);
  const [linksOfDevice, linksOfDevices] = forgotRateLimits('a@example.com', known);
  const [unprovenLinks] = unprovenResetLimits('a@example.com');
  const [registrations] = registerRateLimits('203.0.113.1');
  const [successes] = loginSuccessLimits('a@example.com', {});
  const [successesOfDevice, successesOfDevices] = loginSuccessLimits('a@example.com', known);
  const [proofs, rightProofs] = proofRateLimits('a');
  const [codes] = codeRateLimits('a');
  const [codesOfDevice] = codeRateLimits('a', 'a');
  const [proofLinks, proofLinksOfAddress] = proofLinkRateLimits('a@example.com', '203.0.113.1');
  const [triedEmails, triedEmailsOfAddress] = emailChangeRateLimits('a', '203.0.113.1');
  const [takeovers] = takeoverRateLimits('a@example.com');
  const [messages] = contactRateLimits('203.0.113.1');
  expect(rowsUnder('Limits').map(([name, value]) => [name, Number(value)])).toEqual([
    ['characters of a password, at most', maxPasswordLength],
    ['characters of a password of staff, at least', minStaffPasswordLength],
    ['addresses of an account', accountLimits.addresses],
    ['characters of a description of oneself', accountLimits.description],
    ['characters of a message to the owner', contactLimits.reason],
    ['units of a product in a cart and an order', maxQuantity],
    ['lists of a user', listLimits.lists],
    ['products of a list', listLimits.items],
    ['lines of an order', maxOrderLines],
    ['cents of an order, at least', minOrderCents],
    ['cents of an order, at most', maxOrderCents],
    ['units of a product in stock', catalogLimits.quantity],
    ['characters of a product’s description', catalogLimits.productDescription],
    ['minutes that an access token lives', accessTokenMinutes],
    ['minutes that a reset link works', resetMinutes],
    ['minutes that a nonce for a proof is good, at most', proofLimits.nonceMinutes],
    ['characters of a proof', proofLimits.length],
    ['proofs that a process remembers', proofLimits.remembered],
    ['minutes that a link to prove an address works', emailLinkMinutes],
    ['failed logins of an account in 15 minutes', account?.limit],
    ['failed logins of an address in 15 minutes', address?.limit],
    ['failed logins of an account from a known device in 15 minutes', device?.limit],
    ['logins of an account that succeed in 15 minutes', successes?.limit],
    ['logins of an account that succeed from a known device in 15 minutes', successesOfDevice?.limit],
    ['logins of an account that succeed from all known devices in 15 minutes', successesOfDevices?.limit],
    ['passwords that are checked or made at once', turnLimits.atOnce],
    ['passwords that wait, at most', turnLimits.waiting],
    ['passwords that wait, of a network address', turnLimits.ofNetwork],
    ['passwords that wait, of an account within a network address', turnLimits.ofAccount],
    ['reset links of an account in 15 minutes', linksOfAccount?.limit],
    ['reset links of an address in 15 minutes', linksOfAddress?.limit],
    ['reset links of an account from a known device in 15 minutes', linksOfDevice?.limit],
    ['reset links of an account from all known devices in 15 minutes', linksOfDevices?.limit],
    ['reset links to an address that nobody has proven, in a day', unprovenLinks?.limit],
    ['accounts that know a device', maxKnownAccounts],
    ['registrations of an address in 15 minutes', registrations?.limit],
    ['wrong present passwords of a user in 15 minutes', proofs?.limit],
    ['right present passwords of a user in 15 minutes', rightProofs?.limit],
    ['wrong one-time codes of a user in 15 minutes', codes?.limit],
    ['security notices to an address in an hour, one by one', noticesAnHour],
    ['taken addresses tried as an own one by a user in 15 minutes', triedEmails?.limit],
    ['taken addresses tried as an own one by a network address in 15 minutes', triedEmailsOfAddress?.limit],
    ['wrong one-time codes of a user from a known device in 15 minutes', codesOfDevice?.limit],
    ['links to take over an address in a day', takeovers?.limit],
    ['links to prove an address, to one address in a day', proofLinks?.limit],
    ['links to prove an address, from one network address in 15 minutes', proofLinksOfAddress?.limit],
    ['messages to the owner of an address in 15 minutes', messages?.limit],
    ['minutes that unpaid orders hold goods', holdMinutes],
    ['minutes that a replacement gets at last', lastHoldMinutes],
    ['minutes to wait after two unpaid holds', waitMinutes[1]],
    ['minutes to wait after three', waitMinutes[2]],
    ['minutes to wait after four and more', waitMinutes[3]],
    ['hours after which an unpaid hold is forgotten', unpaidEndsHours],
  ]);
});

test('each budget of the table is the one that the code has', () => {
  const figure = (cell = '') => (cell === '–' ? undefined : Number(cell));
  const written = rowsUnder('Budgets').map(([name = '', perUser, perNetwork, seconds]) => [
    name,
    { perUser: figure(perUser), perNetwork: figure(perNetwork), seconds: figure(seconds) },
  ]);
  const none = { perUser: undefined, perNetwork: undefined, seconds: undefined };
  expect(written).toEqual(Object.entries(budgets).map(([name, budget]) => [name, { ...none, ...budget }]));
  expect(rowsUnder('Budgets', 1).map(([, value]) => Number(value))).toEqual([
    underWay.ofUser,
    underWay.ofNetwork,
    connectionsOf.user,
    connectionsOf.changesOfCustomer,
    connectionsOf.visitors,
    connectionsOf.endings,
    endingsKept,
    uploadsAtOnce.ofProcess,
    uploadsAtOnce.ofCustomers,
    uploadsAtOnce.ofCustomer,
    streamLimits.ofSession,
    streamLimits.ofUser,
    streamLimits.ofVisitorsOfNetwork,
    streamLimits.ofNetwork,
    refusalPace.atOnce,
    refusalPace.perSecond,
    refusalPace.waitsAtMostMs / 1_000,
  ]);
});
