import { isIP, isIPv4, isIPv6 } from 'node:net';

const groupsOfNetwork = 4;
const groupsInAll = 8;

/** The form of IPv4 addresses on a dual-stack socket, so a common fast path. */
const commonlyMapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * A household has one IPv4 address or a whole IPv6 /64, so a /64 counts as one network.
 * @param address in any form: with the port that some proxies append, or an IPv4 address mapped to IPv6
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [, mapped] = commonlyMapped.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const plain = withoutPort(address);
  if (!isIPv6(plain)) return plain; // IPv4, or not an address
  const groups = groupsOf(plain);
  return ipv4Within(groups) ?? `${groups.slice(0, groupsOfNetwork).map(inHex).join(':')}::/64`;
}

/** @returns whether a network from `networkOf` is loopback, which identifies no caller */
export const isOwnMachine = (network: string): boolean => network.startsWith('127.') || network === '0:0:0:0::/64';

/** Strips the port of `203.0.113.1:5000` or `[2001:db8::1]:5000`. Anything that is not an address is unchanged. */
function withoutPort(address: string): string {
  if (isIPv6(address)) return address;
  const [, inBrackets, before = inBrackets] = /^(?:\[(.+)\](?::\d+)?|([^:]+):\d+)$/.exec(address) ?? [];
  return before !== undefined && isIP(before) > 0 ? before : address;
}

/** The eight 16-bit groups of an IPv6 address in any notation. */
function groupsOf(address: string): number[] {
  const [text = ''] = address.split('%');
  const [head = [], tail = []] = text.split('::').map(numbersOf);
  const zeros = groupsInAll - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => 0), ...tail];
}

/** The last two groups may be written as an IPv4 address. */
const numbersOf = (text: string): number[] =>
  text
    .split(':')
    .filter(Boolean)
    .flatMap((group) => (isIPv4(group) ? pairsOf(group) : Number.parseInt(group, 16)));

function pairsOf(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** The IPv4 address in an address of the form ::ffff:0:0/96. */
function ipv4Within(groups: readonly number[]): string | undefined {
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xff_ff) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [Math.trunc(group / 256), group % 256])
    .join('.');
}

const inHex = (group: number): string => group.toString(16);
