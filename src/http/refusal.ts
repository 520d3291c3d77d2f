import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../errors/catalogue.js';
import { answerHeaders, failureBody } from './envelope.js';

/**
 * What is said to something that is no request: it never reaches the application.
 * @param error of Node's HTTP server, as its event `clientError` brings it.
 * @returns undefined when the connection failed, and nobody is there to be told.
 */
export function refusalOf({ code = '' }: NodeJS.ErrnoException): ServiceError | undefined {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('upload_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout');
    default:
      return code.startsWith('HPE_') ? new ServiceError('malformed_request') : undefined;
  }
}

/** What this server answers at all, whatever the address. */
const methods = 'GET, HEAD, POST, PUT, DELETE';

/** A refusal as the headers and the body of an answer, and its request id. */
function answerOf(error: ServiceError) {
  const id = uuidv7();
  const body = JSON.stringify(failureBody(error));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    ...answerHeaders,
    ...(error.code === 'method_not_allowed' && { Allow: methods }),
    'X-Request-Id': id,
    Connection: 'close',
  };
  return { id, headers, body };
}

/** A refusal as a whole HTTP message, and its request id. */
export function rawAnswer(error: ServiceError): { id: string; message: string } {
  const { id, headers, body } = answerOf(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines];
  return { id, message: `${head.join('\r\n')}\r\n\r\n${body}` };
}

/** Refuses a request that the application cannot take. */
export function refuseRequest(response: ServerResponse, error: ServiceError): void {
  const { headers, body } = answerOf(error);
  response.writeHead(error.status, headers).end(body);
}

/** Whether a request target is a path, `*` or a URL: Express answers for others by itself. */
export const isTarget = (target = ''): boolean =>
  target.startsWith('/') || target === '*' || URL.canParse(target);
