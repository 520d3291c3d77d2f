import type { ServerResponse } from 'node:http';
import { guarded } from '../guard.js';

/** Aborted when the connection closes before all of an answer has been sent. */
export function signalOf(response: ServerResponse): AbortSignal {
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

/** The client's connection. That of a gateway of S3 has this code as well, but names no system call. */
const isReset = (error: Error): boolean =>
  'code' in error && error.code === 'ECONNRESET' && 'syscall' in error;

/**
 * Whether a body was not sent to its end because the client went away: nothing is wrong, and nobody
 * is left to tell. Told by the error, since the connection is closed by then either way.
 */
export const isClientGone = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || isReset(error) || ('code' in error && codes.has(error.code)));
