import type { ServerResponse } from 'node:http';
import { guarded } from '../base/guarded.js';

/** Aborted when the connection closes before the whole response has been sent. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  const fail = (error: unknown): void => abort.abort(error);
  const leave = guarded(fail, () => {
    if (!response.writableFinished) abort.abort();
  });
  if (response.destroyed) leave();
  else response.once('close', leave);
  return abort.signal;
}

const codes = new Set<unknown>([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ECANCELED',
  'EPIPE',
]);

/**
 * Whether the client reset its connection. An error of an S3 gateway can have this code too, but
 * names no system call.
 */
const isReset = (error: Error): boolean =>
  'code' in error && error.code === 'ECONNRESET' && 'syscall' in error;

/**
 * Whether sending a body failed because the client disconnected, which is not worth reporting.
 * Determined from the error, since the connection is closed by then in any case.
 */
export const isClientGone = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || isReset(error) || ('code' in error && codes.has(error.code)));
