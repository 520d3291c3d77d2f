import { successMessage } from '../../../src/http/envelope.js';
import { catalogue } from '../../../src/base/errors/catalogue.js';
import type { WireAnswer } from './answers.js';

interface Envelope {
  readonly status_code?: unknown;
  readonly message?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

/** What an answer must never contain: stack traces, file positions, SQL. */
const secrets = /\bat .+:\d+:\d+|node_modules|\/dist\/|SELECT .+ FROM |invalid input syntax/;

const codes = new Map<unknown, { readonly status: number }>(Object.entries(catalogue));

/**
 * @param head whether it answers HEAD and has no body.
 * @returns what is wrong with an answer to any request; undefined if nothing is.
 */
export function complaintAbout(answer: WireAnswer, head = false): string | undefined {
  const { status, headers, whole } = answer;
  if (!whole) return `the answer ${status} breaks off`;
  if (status >= 500 && status !== 503) return `status ${status}: ${codeIn(answer)}`;
  if (!headers.has('x-request-id')) return `status ${status} without a request id`;
  if (status === 503 && !(Number(headers.get('retry-after')) > 0)) return '503 without Retry-After';
  if (status === 401 && !headers.has('www-authenticate')) return '401 without WWW-Authenticate';
  if (status === 405 && !headers.has('allow')) return '405 without Allow';
  if (head) return undefined;
  if (status >= 400) return isJson(answer) ? failureComplaint(answer) : `${status} without JSON`;
  return isJson(answer) ? successComplaint(answer) : undefined;
}

/** `error.code` of an answer, for tallies. */
export function codeIn(answer: WireAnswer): string {
  const code = parsed(answer)?.error?.code;
  return typeof code === 'string' ? code : '';
}

const isJson = ({ headers }: WireAnswer): boolean =>
  /^application\/json\b/.test(headers.get('content-type') ?? '');

function parsed({ body }: WireAnswer): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function failureComplaint(answer: WireAnswer): string | undefined {
  const { status } = answer;
  const envelope = parsed(answer);
  if (!envelope) return `${status} with something else than an envelope`;
  const code = envelope.error?.code;
  const known = codes.get(code);
  if (!known) return `${status} with the unknown code ${JSON.stringify(code)}`;
  if (known.status !== status || envelope.status_code !== status) {
    return `status ${status}, status_code ${String(envelope.status_code)}, code ${String(code)}`;
  }
  if (envelope.result !== null) return `${status} with a result`;
  if (typeof envelope.message !== 'string' || envelope.message === '') {
    return `${status} without a reason`;
  }
  const reported = secrets.exec(JSON.stringify(envelope));
  return reported ? `${status} tells the inside: ${reported[0]}` : undefined;
}

function successComplaint(answer: WireAnswer): string | undefined {
  const envelope = parsed(answer);
  if (!envelope) return `${answer.status} with broken JSON`;
  if (!('status_code' in envelope)) return undefined; // the health checks and the document
  const fine = envelope.status_code === 200 && envelope.message === successMessage;
  return fine && 'result' in envelope ? undefined : `${answer.status} in a wrong envelope`;
}
