import type { Request, RequestHandler } from 'express';
import { ServiceError } from '../errors/catalogue.js';

/**
 * A host name or address with an optional port; nothing that would have another meaning in a URL.
 */
const wellFormed = /^(?:\[[\da-f:.]{2,45}\]|[\w.~-]{1,255})(?::\d{1,5})?$/i;

/** A request target that includes its authority (RFC 9112, 3.2.2). */
const absoluteForm = /^https?:\/\/([^/?#]*)([^#]*)/i;

/**
 * Verifies the Host of a request, which URLs in the response are built from: exactly one,
 * well-formed; with HTTP/1.0 it may be absent, and the address that the client connected to is
 * used.
 */
export const requireHost: RequestHandler = (request, _response, next) => {
  const { headers, httpVersion, socket } = request;
  const [, authority, target] = absoluteForm.exec(request.url) ?? [];
  if (authority !== undefined) {
    headers.host = authority;
    request.url = target?.startsWith('/') ? target : `/${target}`;
  }
  if (httpVersion === '1.0' && headers.host === undefined) {
    headers.host = authorityOf(socket.localAddress ?? '', socket.localPort ?? 0);
  }
  if (!isTrustedHost(request)) {
    throw new ServiceError('malformed_request', {
      message: 'The Host header is missing or malformed.',
    });
  }
  next();
};

/** Headers added by a trusted proxy count as well. */
const isTrustedHost = (request: Request): boolean =>
  (request.headersDistinct.host?.length ?? 0) <= 1 &&
  wellFormed.test(request.host ?? '') &&
  /^https?$/.test(request.protocol);

/** `host:port` as written in URLs, with IPv6 addresses in brackets. */
export function authorityOf(host: string, port: number): string {
  const name = host.replace(/^::ffff:(?=\d+\.)/i, '');
  return `${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`;
}
