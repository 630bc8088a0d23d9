/** What counts as one network, whatever the notation of its address. Rule: docs/rules/running.md, Rate limits */
import { expect, test } from 'vitest';
import { networkOf } from '../../../src/server/http/core/network';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'], // as some proxies forward it
  ['::ffff:203.0.113.7', '203.0.113.7'], // as a dual-stack socket reports it
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:51234', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:51234', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['2001:db8::192.0.2.1', '2001:db8:0:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('an IPv4 address is not in the network of another one written as IPv6', () => {
  expect(networkOf('::ffff:cb00:7107')).not.toBe(networkOf('::ffff:cb00:7108'));
});

test.each(['', 'unknown', '_hidden', '1.2.3.4:5:6', '[1.2.3.4'])(
  'an invalid address (%s) is used as it is',
  (address) => {
    expect(networkOf(address)).toBe(address);
  },
);
