import { randomFillSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { guarded } from '../base/guarded.js';
import type { Logger } from '../base/telemetry/logger.js';
import { requests, requestSeconds, requestsInProgress } from '../base/telemetry/metrics.js';
import type { LogRequest } from '../base/telemetry/request-lines.js';
import { secondMs } from '../base/units.js';
import type { Claims } from './auth/claims.js';
import { clientIp, pathOf } from './host.js';
import { isFilePath } from './files.js';

type Status = number | 'aborted';

/** The series of one operation, cached because looking them up takes longer than counting. */
class OperationSeries {
  readonly #seconds: ReturnType<typeof requestSeconds.of>;
  readonly #byStatus = new Map<Status, ReturnType<typeof requests.of>>();

  constructor(private readonly operation: string) {
    this.#seconds = requestSeconds.of(operation);
  }

  count(status: Status, ms: number): void {
    this.#seconds.observe(ms / secondMs);
    let series = this.#byStatus.get(status);
    if (!series) this.#byStatus.set(status, (series = requests.of(this.operation, `${status}`)));
    series.add();
  }
}

const operations = new Map<string, OperationSeries>();
const inProgress = requestsInProgress.of();

/** Must be followed by {@link countRequest}. */
const beginRequest = (): void => inProgress.add();

/** @param operation an operation id, `files`, or `other`. */
function countRequest(operation: string, status: Status, ms: number): void {
  inProgress.add(-1);
  let series = operations.get(operation);
  if (!series) operations.set(operation, (series = new OperationSeries(operation)));
  series.count(status, ms);
}

const acceptable = /^[\w.:-]{1,128}$/;

/** Random bytes for 256 ids: fetching 16 at a time would double the cost of an id. */
const random = new Uint8Array(4096);
const randomBytesPerId = 16;
let used = random.length;

function newId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  return uuidv7({ random: random.subarray(used, (used += randomBytesPerId)) });
}

/** The caller's `X-Request-Id`, or a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : newId();
}

/**
 * Maximum number of logged characters of a client's text; the longest path of the API has about
 * 140.
 */
const maxLogged = 256;

/** The path of a link as it may be logged: its secret gives access to everybody who reads it. */
export const loggedPath = (path: string): string =>
  path.replace(/^(\/+s\/)[^/]+(\/[a-z]+(?=\/|$))?.*/i, '$1…$2');

const cut = (text: string): string =>
  text.length <= maxLogged ? text : `${text.slice(0, maxLogged)}… (${text.length} characters)`;

/** A response; the Express handlers store its caller and operation in `locals`. */
type Answered = ServerResponse & {
  readonly locals?: { readonly caller?: Claims; readonly operation?: string };
};

export interface RequestLogParts {
  readonly logger: Logger;
  readonly logRequest: LogRequest;
  /** Reverse proxies whose forwarding headers are trusted. */
  readonly trustProxy: number;
}

/** Logs a request when it ends, and counts it. */
export function logWhenClosed(
  { logger, logRequest, trustProxy }: RequestLogParts,
  request: IncomingMessage,
  response: Answered,
  id: string,
): void {
  const started = performance.now();
  const { socket, headers } = request;
  // A socket that has been closed no longer knows its peer.
  const client = clientIp(request, trustProxy);
  const before = socket.bytesWritten;
  const unlogged = (error: unknown): void => void logger.error('request log', { error });
  beginRequest();
  const log = guarded(unlogged, () => {
    const { caller, operation } = response.locals ?? {};
    const ms = performance.now() - started;
    const status = response.writableFinished ? response.statusCode : 'aborted';
    countRequest(operation ?? (isFilePath(request.url) ? 'files' : 'other'), status, ms);
    logRequest({
      method: request.method ?? '',
      path: cut(loggedPath(pathOf(request.url))),
      status,
      ms: Math.round(ms),
      bytes: socket.bytesWritten - before,
      client: cut(client),
      id,
      user: caller?.userId,
      platform: caller?.platformId,
      agent: headers['user-agent'] && cut(headers['user-agent']),
    });
  });
  response.once('close', log);
}
