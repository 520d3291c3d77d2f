import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/**
 * Who sent a request: behind proxies that are trusted, whom the outermost of them reports, as Express
 * has it in `request.ip`.
 * @param trustProxy how many there are.
 */
export function clientAddress(request: IncomingMessage, trustProxy: number): string {
  const forwarded = trustProxy > 0 ? request.headers['x-forwarded-for'] : undefined;
  const hops = forwarded === undefined ? [] : String(forwarded).split(',');
  const reported = (hops.at(-trustProxy) ?? hops[0])?.trim();
  return (reported || request.socket.remoteAddress || '').replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * The key under which a client address is counted: an IPv4 address as is, but only the first 64
 * bits of IPv6, since one client usually controls everything below them.
 */
export function rateLimitKey(address: string): string {
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
