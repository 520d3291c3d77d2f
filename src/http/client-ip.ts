import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/**
 * The IP of the client: behind trusted proxies, the one that the outermost proxy reports, like
 * Express's `request.ip`. @param trustProxy number of trusted proxies.
 */
export function clientIp(request: IncomingMessage, trustProxy: number): string {
  const forwarded = trustProxy > 0 ? request.headers['x-forwarded-for'] : undefined;
  const hops = forwarded === undefined ? [] : String(forwarded).split(',');
  const reported = (hops.at(-trustProxy) ?? hops[0])?.trim();
  return (reported || request.socket.remoteAddress || '').replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * The key under which a client IP is rate-limited: an IPv4 address as is, but only the first 64
 * bits of an IPv6 address, since one client usually controls all addresses below that prefix.
 */
export function rateLimitKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined || !isIPv6(ip)) return mapped ?? ip;
  const [head = '', tail] = ip.replace(/%.*$/, '').split('::');
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
