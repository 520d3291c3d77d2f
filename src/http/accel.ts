import type { IncomingMessage } from 'node:http';

/** Handing files to the nginx in front, which sends them from the local store by itself. */
export interface Accel {
  /** Its internal location for the store's folder. */
  readonly location: string;
  /** Whether all objects are in the local store now. */
  readonly isLocal: () => boolean;
}

/**
 * What nginx says with each request that it passes on as `imgstore proxy-config` configures it,
 * whatever its client says (the convention of Rack::Sendfile). Without that header, the response
 * would reach its client empty.
 */
const offered = (headers: IncomingMessage['headers']): boolean =>
  headers['x-sendfile-type'] === 'X-Accel-Redirect';

/** For these, nginx would decide by its own ETag, which is not ours. */
const foreignConditions = (headers: IncomingMessage['headers']): boolean =>
  headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined;

/** Whether nginx may send the body of the response. */
export const mayAccelerate = (
  accel: Accel | undefined,
  { method, headers }: IncomingMessage,
): accel is Accel =>
  accel !== undefined &&
  method === 'GET' &&
  offered(headers) &&
  !foreignConditions(headers) &&
  accel.isLocal();
