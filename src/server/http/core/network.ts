import { isIP, isIPv4, isIPv6 } from 'node:net';

const groupsOfNetwork = 4;
const groupsInAll = 8;

/** Each request of IPv4 has it on a socket for both kinds. */
const commonlyMapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * A household has one IPv4 address or a whole /64 of IPv6 addresses, so the /64 counts as one.
 * @param address in any form: with the port that some proxies put behind it, or an IPv4 address written as IPv6
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [, mapped] = commonlyMapped.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const plain = withoutPort(address);
  if (!isIPv6(plain)) return plain; // of IPv4, or no address at all
  const groups = groupsOf(plain);
  return ipv4Within(groups) ?? `${groups.slice(0, groupsOfNetwork).map(inHex).join(':')}::/64`;
}

/** @returns whether a network from `networkOf` is loopback, which identifies no caller */
export const isOwnMachine = (network: string): boolean => network.startsWith('127.') || network === '0:0:0:0::/64';

/** `203.0.113.1:5000`, `[2001:db8::1]:5000`: what is no address is left as it is. */
function withoutPort(address: string): string {
  if (isIPv6(address)) return address;
  const [, inBrackets, before = inBrackets] = /^(?:\[(.+)\](?::\d+)?|([^:]+):\d+)$/.exec(address) ?? [];
  return before !== undefined && isIP(before) > 0 ? before : address;
}

/** The eight numbers of an IPv6 address, in whichever form it is written. */
function groupsOf(address: string): number[] {
  const [text = ''] = address.split('%');
  const [head = [], tail = []] = text.split('::').map(numbersOf);
  const zeros = groupsInAll - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => 0), ...tail];
}

/** The last two may be written as an IPv4 address. */
const numbersOf = (text: string): number[] =>
  text
    .split(':')
    .filter(Boolean)
    .flatMap((group) => (isIPv4(group) ? pairsOf(group) : Number.parseInt(group, 16)));

function pairsOf(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** Behind ::ffff: an address is one of IPv4. */
function ipv4Within(groups: readonly number[]): string | undefined {
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xff_ff) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [Math.trunc(group / 256), group % 256])
    .join('.');
}

const inHex = (group: number): string => group.toString(16);
