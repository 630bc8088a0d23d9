/** Which addresses of the network are public. Rule: docs/rules/catalog.md, Photos from links */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All addresses that are assigned for use on the public internet: IANA IPv6 Global Unicast Address Assignments. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * @param address an IPv4 or IPv6 address
 * @returns false for every address with a special purpose: private and local ones, multicast, documentation, and those that
 *   stand for an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64)
 */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address)) return false; // ipaddr.js reads more spellings
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}

/**
 * Asks the name servers themselves, since names in the machine's own hosts file are no public ones.
 * @returns all addresses of a name, IPv4 first
 * @throws Node's error when the name has none, or when a name server doesn't answer
 */
export async function resolveName(name: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
