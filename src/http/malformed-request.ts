import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../base/errors/catalogue.js';
import { responseHeaders, failureBody } from './envelope.js';

/**
 * The response to input that is not a request and never reaches the application.
 * @param error from the `clientError` event of Node's HTTP server.
 * @returns undefined if the connection failed, so that there is nobody to answer.
 */
export function parserErrorOf({ code = '' }: NodeJS.ErrnoException): ServiceError | undefined {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('upload_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout');
    case 'HPE_INVALID_URL':
      return new ServiceError('malformed_request', { message: unencoded });
    default:
      return code.startsWith('HPE_') ? new ServiceError('malformed_request') : undefined;
  }
}

const unencoded =
  'The path or query has characters that must be percent-encoded as UTF-8, such as %EC%84%9C for 서.';

/** Whether the parser rejected what it read; otherwise, the input ended or did not come. */
export const isMalformed = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE';

/** The methods that this server supports on any path. */
const methods = 'GET, HEAD, POST, PUT, DELETE';

/** A rejection as the headers and body of a response, and its request id. */
function answerOf(error: ServiceError) {
  const id = uuidv7();
  const body = JSON.stringify(failureBody(error));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    ...responseHeaders,
    ...(error.code === 'method_not_allowed' && { Allow: methods }),
    'X-Request-Id': id,
    Connection: 'close',
  };
  return { id, headers, body };
}

/** A rejection as a complete HTTP message, and its request id. */
export function rawResponse(error: ServiceError): { id: string; message: string } {
  const { id, headers, body } = answerOf(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines];
  return { id, message: `${head.join('\r\n')}\r\n\r\n${body}` };
}

/** Rejects a request that the application cannot handle. */
export function refuseRequest(response: ServerResponse, error: ServiceError): void {
  const { headers, body } = answerOf(error);
  response.writeHead(error.status, headers).end(body);
}

/** Whether a request target is a path, `*`, or a URL; Express would answer any other itself. */
export const isRequestTarget = (target = ''): boolean =>
  target.startsWith('/') || target === '*' || URL.canParse(target);
