const codes = new Set<unknown>([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ECANCELED',
  'EPIPE',
  'ECONNRESET',
]);

/**
 * Whether a body was not sent to its end because the client went away: nothing is wrong, and nobody
 * is left to tell. Told by the error, since the connection is closed by then either way.
 */
export const isClientGone = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && codes.has(error.code)));
