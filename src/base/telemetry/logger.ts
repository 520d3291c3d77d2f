import winston from 'winston';
import { loggedFields } from './context.js';
import { printable } from '../printable.js';
import { logOutput } from './log-output.js';
import { logEntries } from './metrics.js';

export type Logger = winston.Logger;

export interface LoggerOptions {
  readonly level: string;
  /** `text` for people, `json` for log collectors. */
  readonly format: 'text' | 'json';
}

const { combine, timestamp, json, printf, errors } = winston.format;

const secretKey = /authorization|password|secret|token|cookie|signature/i;
// A JWT, the signature of a signed URL, the password in a database URL. Each alternative can match
// only at the start of a run of characters: linear time.
const secretText =
  /(?<![\w-])(?=[\w-]*eyJ)[\w-]+\.[\w-]+\.[\w-]+|(?<=[?&](?:sig|X-Amz-Signature)=)[\w%-]+|(?<=:\/\/[^:/@\s]+:)[^@/\s]+(?=@)/g;

/** The text with every match of `secretText` redacted. */
export const redactText = (text: string): string => text.replace(secretText, '[redacted]');

function redact(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return secretKey.test(key) ? '[redacted]' : redactText(value);
  if (Array.isArray(value)) return value.map((v) => redact(v));
  // The fields of an error are not enumerable, so as an object it would be {}.
  if (value instanceof Error) return redact(value.stack ?? value.message);
  if (value !== null && typeof value === 'object' && !(value instanceof Date)) {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, redact(v, k)]));
  }
  return value;
}

const redaction = winston.format((info) => {
  for (const [key, value] of Object.entries(info)) info[key] = redact(value, key);
  return info;
});

/** Adds the fields of the current context that the entry does not have itself. */
const context = winston.format((info) => {
  for (const [name, value] of Object.entries(loggedFields() ?? {})) info[name] ??= value;
  return info;
});

const line = printf(({ timestamp, level, message, stack, ...rest }) => {
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const head = printable([String(timestamp), level, String(message), ...fields].join(' '));
  // Fully indented, since an error message may have lines that look like log entries.
  const trace =
    typeof stack === 'string' ? stack.split(/\r?\n/).map((l) => `    ${printable(l)}`) : [];
  return [head, ...trace].join('\n');
});

/** Writes entries in order with all other lines of the log. */
class OutputTransport extends winston.transports.Console {
  override log(info: Record<symbol, string>, done: () => void): void {
    const severity = info[level];
    if (severity === 'error' || severity === 'warn') logEntries.of(severity).add();
    logOutput.write(`${info[formatted]}\n`);
    done();
  }
}

/** Where winston keeps the formatted entry, and its level. */
const formatted = Symbol.for('message');
const level = Symbol.for('level');

/**
 * A logger on stderr, so that stdout stays free for documents. Secrets are redacted before
 * formatting.
 */
export function createLogger(options: LoggerOptions): Logger {
  const logger = winston.createLogger({
    level: options.level,
    format: combine(
      errors({ stack: true }),
      context(),
      redaction(),
      timestamp(),
      options.format === 'json' ? json() : line,
    ),
    transports: [new OutputTransport()],
  });
  logOutput.reportDropped((lines) => logger.warn('log lines dropped', { lines }));
  return logger;
}
