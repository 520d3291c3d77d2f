import type { Request, RequestHandler } from 'express';
import { ServiceError } from '../errors/catalogue.js';

/** A name or an address, perhaps with a port; nothing that would mean more inside of a URL. */
const wellFormed = /^(?:\[[\da-f:.]{2,45}\]|[\w.~-]{1,255})(?::\d{1,5})?$/i;

/** A request target that carries its authority (RFC 9112, 3.2.2). */
const absoluteForm = /^https?:\/\/([^/?#]*)([^#]*)/i;

/**
 * Makes sure that a request names its host, from which the addresses in its answer are made: one name
 * and well-formed, or with HTTP/1.0 none, which means the address that the client has connected to.
 */
export const knownHost: RequestHandler = (request, _response, next) => {
  const { headers, httpVersion, socket } = request;
  const [, authority, target] = absoluteForm.exec(request.url) ?? [];
  if (authority !== undefined) {
    headers.host = authority;
    request.url = target?.startsWith('/') ? target : `/${target}`;
  }
  if (httpVersion === '1.0' && headers.host === undefined) {
    headers.host = authorityOf(socket.localAddress ?? '', socket.localPort ?? 0);
  }
  if (!isKnown(request)) {
    throw new ServiceError('malformed_request', {
      message: 'The Host header is missing or malformed.',
    });
  }
  next();
};

/** What a proxy in front has added counts as well, if it is believed. */
const isKnown = (request: Request): boolean =>
  (request.headersDistinct.host?.length ?? 0) <= 1 &&
  wellFormed.test(request.host ?? '') &&
  /^https?$/.test(request.protocol);

/** `host:port`, as addresses are written: those of IPv6 in brackets. */
export function authorityOf(host: string, port: number): string {
  const name = host.replace(/^::ffff:(?=\d+\.)/i, '');
  return `${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`;
}
