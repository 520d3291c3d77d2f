import { printable } from '../text.js';
import { logOutput, redactText, type LoggerOptions } from './logger.js';

/** What is logged about a request when it ends. */
export interface RequestEntry {
  /** A method that Node's HTTP parser knows. */
  readonly method: string;
  /** Without the query, which carries search terms and signatures. */
  readonly path: string;
  readonly status: number | 'aborted';
  /** Milliseconds from its arrival to its end. */
  readonly ms: number;
  /** Written to the connection: headers and body. */
  readonly bytes: number;
  /** IP of the client; behind trusted proxies, the one that they report. */
  readonly client: string;
  readonly id: string;
  /** Ids of the caller. */
  readonly user: string | undefined;
  readonly platform: string | undefined;
  /** The `User-Agent` header. */
  readonly agent: string | undefined;
}

export type LogRequest = (entry: RequestEntry) => void;

/** Everything that `redactText` would find contains one of these. */
const suspicious = /eyJ|[?&]|:\/\//;

const clean = (text: string): string => (suspicious.test(text) ? redactText(text) : text);

/** Monitors call these every few seconds, which would fill most of a quiet service's log. */
const isProbe = (path: string): boolean => /^\/(livez|readyz)\/?$/.test(path);

/**
 * Logs requests at the level `info`, and probes at `debug`. The lines are those that the logger would
 * write for the same fields, made without its general formats, which take longer than serving a
 * small file.
 * @param logger has the level, which may change at any time.
 */
export function createRequestLines(
  logger: { readonly level: string },
  format: LoggerOptions['format'],
): LogRequest {
  const line = format === 'json' ? jsonLine : textLine;
  return (entry) => {
    const { level } = logger;
    if (level !== 'debug' && (level !== 'info' || isProbe(entry.path))) return;
    logOutput.collect(line(entry, isProbe(entry.path) ? 'debug' : 'info'));
  };
}

/** Text without characters that JSON or `printable` escapes: almost every path and name of a program. */
const plain = /^[\w ./:;,()+-]*$/;

const quoted = (text: string): string =>
  plain.test(text) && !suspicious.test(text) ? `"${text}"` : printable(JSON.stringify(clean(text)));

/** Keys in alphabetical order, as in all entries. */
function jsonLine(entry: RequestEntry, level: string): string {
  const { method, path, status, ms, bytes, client, id, user, platform, agent } = entry;
  const request = `"method":"${method}","ms":${ms},"path":${quoted(path)}`;
  const outcome = typeof status === 'number' ? status : `"${status}"`;
  const tenant = platform ? `"platform":"${platform}",` : '';
  const time = new Date().toISOString();
  const from = `${agent === undefined ? '' : `"agent":${quoted(agent)},`}"bytes":${bytes},"client":${quoted(client)}`;
  return `{${from},"id":${quoted(id)},"level":"${level}","message":"request",${request},${tenant}"status":${outcome},"timestamp":"${time}"${user ? `,"user":"${user}"` : ''}}`;
}

function textLine(entry: RequestEntry, level: string): string {
  const { method, path, status, ms, bytes, client, id, user, platform, agent } = entry;
  const outcome = `status=${status} ms=${ms} bytes=${bytes} client=${clean(client)}`;
  const fields = `method=${method} path=${clean(path)} ${outcome} id=${clean(id)}`;
  const caller = `${user ? ` user=${user}` : ''}${platform ? ` platform=${platform}` : ''}`;
  // Last, since it may contain anything: there, it cannot pass for one of the other fields.
  const program = agent === undefined ? '' : ` agent=${clean(agent)}`;
  return printable(`${new Date().toISOString()} ${level} request ${fields}${caller}${program}`);
}
