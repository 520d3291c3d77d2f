import type { IncomingMessage } from 'node:http';

/** Lets the nginx in front send files itself, straight from the local store. */
export interface Accel {
  /** The internal nginx location of the store's folder. */
  readonly location: string;
  /** Whether all objects are in the local store now. */
  readonly isLocal: () => boolean;
}

/**
 * Whether the request has the header that nginx, as configured by `imgstore proxy-config`, sets on
 * every request, overriding the client's (the convention of Rack::Sendfile). Without this check, a
 * client that bypasses nginx would receive an empty response.
 */
const acceptsAccel = (headers: IncomingMessage['headers']): boolean =>
  headers['x-sendfile-type'] === 'X-Accel-Redirect';

/** nginx would evaluate these conditions against its own ETag, which differs from ours. */
const hasPreconditions = (headers: IncomingMessage['headers']): boolean =>
  headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined;

/** Whether nginx may send the body of the response. */
export const mayAccelerate = (
  accel: Accel | undefined,
  { method, headers }: IncomingMessage,
): accel is Accel =>
  accel !== undefined &&
  method === 'GET' &&
  acceptsAccel(headers) &&
  !hasPreconditions(headers) &&
  accel.isLocal();
