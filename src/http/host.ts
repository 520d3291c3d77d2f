import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Request as ExpressRequest } from 'express';
import { ServiceError } from '../base/errors/catalogue.js';

// Where a request was sent (its target, its host), and who sent it.

/** A request target that includes its authority (RFC 9112, 3.2.2). */
const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^#]*)/i;

/** Turns a target that includes its authority into a Host header and a path. */
export function useOriginForm(request: IncomingMessage): void {
  if (request.url?.startsWith('/')) return;
  const [, authority, target] = absoluteForm.exec(request.url ?? '') ?? [];
  if (authority === undefined) return;
  request.headers.host = authority;
  request.url = target?.startsWith('/') ? target : `/${target}`;
}

/** The path of a request target, not decoded. */
export function pathOf(target = ''): string {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

/** The query of a request target, without its question mark. */
export function queryOf(target = ''): string {
  const [whole = ''] = target.split('#', 1);
  const start = whole.indexOf('?');
  return start < 0 ? '' : whole.slice(start + 1);
}

/**
 * A host name or IP address with an optional port; nothing that would have another meaning in a
 * URL.
 */
const wellFormed = /^(?:\[[\da-f:.]{2,45}\]|[\w.~-]{1,255})(?::\d{1,5})?$/i;

/**
 * Verifies the Host header of a request, from which URLs in the response are built: exactly one,
 * well-formed. With HTTP/1.0 it may be absent; the IP and port that the client connected to are
 * used instead. Headers added by a trusted proxy are checked as well.
 *
 * @throws ServiceError `malformed_request`.
 */
export function requireHost(request: IncomingMessage, behindProxy: boolean): void {
  const { headers, httpVersion, socket } = request;
  if (httpVersion === '1.0' && headers.host === undefined) {
    headers.host = authorityOf(socket.localAddress ?? '', socket.localPort ?? 0);
  }
  const forwarded = behindProxy ? forwardedBy(request) : {};
  const host = forwarded.host ?? headers.host ?? '';
  const { protocol = 'http' } = forwarded;
  if (!wellFormed.test(host) || !/^https?$/.test(protocol) || hostLines(request) > 1) {
    throw new ServiceError('malformed_request', {
      message: 'The Host header is missing or malformed.',
    });
  }
  if (behindProxy && !/^\d{0,5}$/.test(firstOf(headers['x-forwarded-port']))) {
    throw new ServiceError('malformed_request', { message: 'X-Forwarded-Port is malformed.' });
  }
  if (behindProxy && !prefixForm.test(firstOf(headers['x-forwarded-prefix']))) {
    throw new ServiceError('malformed_request', { message: 'X-Forwarded-Prefix is malformed.' });
  }
}

/** A path that a proxy removes from requests, with nothing that would have another meaning in a URL. */
const prefixForm = /^(\/[\w.~-]{1,100}){0,10}\/?$/;

/** The value of the outermost proxy. */
const firstOf = (header: string | string[] | undefined): string =>
  String(header ?? '')
    .split(',', 1)[0]
    ?.trim() ?? '';

/** The path below which the client of a request through trusted proxies sees the API. */
export const forwardedPrefix = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
  firstOf(headers['x-forwarded-prefix']).replace(/\/$/, '');

/** Whether the client's connection is encrypted. @param behindProxy whether proxies are trusted. */
export const isSecure = (request: IncomingMessage, behindProxy: boolean): boolean =>
  behindProxy && forwardedBy(request).protocol === 'https';

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * The URL of the API as the client of a request knows it, for URLs in the response. The headers of
 * proxies have been checked by {@link requireHost}. @param behindProxy whether they are trusted.
 */
export function baseUrlOf(
  { protocol, host, headers }: Pick<ExpressRequest, 'protocol' | 'host' | 'headers'>,
  behindProxy: boolean,
): string {
  if (!behindProxy) return `${protocol}://${host}`;
  const port = firstOf(headers['x-forwarded-port']);
  const prefix = forwardedPrefix({ headers });
  const needed = port !== '' && port !== defaultPorts[protocol] && !/:\d+$/.test(host);
  return `${protocol}://${host}${needed ? `:${port}` : ''}${prefix}`;
}

/**
 * Host and protocol as the proxies forward them, read like Express's `request.host` and
 * `request.protocol`.
 */
function forwardedBy({ headers }: IncomingMessage): { host?: string; protocol?: string } {
  const [host, protocol] = [headers['x-forwarded-host'], headers['x-forwarded-proto']].map(
    (said) => (said === undefined || said === '' ? undefined : String(said).split(',', 1)[0]),
  );
  return {
    ...(host !== undefined && { host: host.trimEnd() }),
    ...(protocol !== undefined && { protocol: protocol.trim() }),
  };
}

/** In `headers`, Node keeps only the first of several. */
function hostLines({ rawHeaders }: IncomingMessage): number {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') lines += 1;
  }
  return lines;
}

/** `host:port` as written in URLs, with IPv6 addresses in brackets. */
export function authorityOf(host: string, port: number): string {
  const name = host.replace(/^::ffff:(?=\d+\.)/i, '');
  return `${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`;
}

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
