import type { IncomingMessage, ServerResponse } from 'node:http';

const methods = 'GET, HEAD, POST, PUT, DELETE';

/**
 * Allows cross-origin access from these origins (Fetch standard, section 3.3).
 * @returns whether the request is a preflight, to be answered with 204.
 */
export function allowOrigins(
  origins: readonly string[],
  { headers, method }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { origin } = headers;
  response.setHeader('Vary', 'Origin');
  if (!origin || !(origins.includes(origin) || origins.includes('*'))) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader(
    'Access-Control-Expose-Headers',
    'X-Request-Id, Retry-After, Content-Disposition, Idempotency-Replayed',
  );
  if (method !== 'OPTIONS' || !headers['access-control-request-method']) return false;
  response.setHeader('Access-Control-Allow-Methods', methods);
  response.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, X-Request-Id, Idempotency-Key, Last-Event-ID',
  );
  response.setHeader('Access-Control-Max-Age', '7200');
  return true;
}
