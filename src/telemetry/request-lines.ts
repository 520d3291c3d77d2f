import { logOutput } from './log-output.js';
import { escaped, redactText } from './logger.js';
import type { LoggerOptions } from './logger.js';

/** What is logged of a request when it ends. */
export interface RequestEntry {
  /** One that node's HTTP parser knows. */
  readonly method: string;
  /** Without the query, which carries search terms and signatures. */
  readonly path: string;
  readonly status: number | 'aborted';
  /** Milliseconds from its arrival to its end. */
  readonly ms: number;
  readonly id: string;
  /** Ids of the caller. */
  readonly user: string | undefined;
  readonly platform: string | undefined;
}

export type LogRequest = (entry: RequestEntry) => void;

/** Everything that `redactText` would find contains one of these. */
const suspicious = /eyJ|[?&]|:\/\//;

const clean = (text: string): string => (suspicious.test(text) ? redactText(text) : text);

/**
 * Logs requests at the level `info`: the lines that the logger would write for the same fields,
 * made without its general formats, which would take longer than answering a small file.
 */
export function createRequestLines({ level, format }: LoggerOptions): LogRequest {
  if (level !== 'info' && level !== 'debug') return () => undefined;
  const line = format === 'json' ? jsonLine : textLine;
  return (entry) => logOutput.collect(line(entry));
}

const quoted = (text: string): string => JSON.stringify(clean(text));

/** Keys in alphabetical order, as in all entries. */
function jsonLine({ method, path, status, ms, id, user, platform }: RequestEntry): string {
  const request = `"method":"${method}","ms":${ms},"path":${quoted(path)}`;
  const outcome = typeof status === 'number' ? status : `"${status}"`;
  const tenant = platform ? `"platform":"${platform}",` : '';
  const time = new Date().toISOString();
  return `{"id":${quoted(id)},"level":"info","message":"request",${request},${tenant}"status":${outcome},"timestamp":"${time}"${user ? `,"user":"${user}"` : ''}}`;
}

function textLine({ method, path, status, ms, id, user, platform }: RequestEntry): string {
  const fields = `method=${method} path=${clean(path)} status=${status} ms=${ms} id=${clean(id)}`;
  const caller = `${user ? ` user=${user}` : ''}${platform ? ` platform=${platform}` : ''}`;
  return escaped(`${new Date().toISOString()} info request ${fields}${caller}`);
}
