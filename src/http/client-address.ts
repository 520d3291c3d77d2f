import { isIPv6 } from 'node:net';

/**
 * Whom to count an address for: an IPv4 address for itself; of IPv6 the first 64 bits, since one
 * client commonly has all addresses below them.
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  if (tail !== undefined) {
    groups.push(
      ...Array<string>(Math.max(8 - groups.length - after.length, 0)).fill('0'),
      ...after,
    );
  }
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}
