import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import winston from 'winston';
import { guarded, ignore } from '../guarded.js';
import { printable } from '../text.js';
import { secondMs, minuteMs } from '../units.js';
import { loggedFields, logLevels } from './context.js';
import { logEntries } from './metrics.js';

/** Longest time for an orderly stop after an uncaught error, in milliseconds. */
const finishMs = minuteMs;

/**
 * From now on catches errors that nothing else caught, thrown outside a promise or by a promise
 * that nothing awaits. The process can no longer be trusted: the first such error aborts the
 * returned signal, so that running work is finished and the process ends; if that takes too long,
 * it exits with 1.
 * @param log logs each of them.
 */
export function onUncaught(log: (error: unknown) => void): AbortSignal {
  const broken = new AbortController();
  const handle = (error: unknown): void => {
    log(error);
    if (broken.signal.aborted) return;
    const exit = (): void => process.exit(1);
    setTimeout(guarded(exit, exit), finishMs).unref();
    broken.abort(error);
  };
  // If this throws as well, there is nowhere left to report it.
  const caught = guarded(() => process.exit(1), handle);
  process.on('uncaughtException', caught);
  process.on('unhandledRejection', caught);
  return broken.signal;
}

/**
 * Characters written at once. A pipe takes up to 4,096 bytes atomically, so lines of several
 * processes that share a pipe do not mix.
 */
const batchSize = 4_096;

/** Bytes that may wait for a reader of the log; Node's pipe streams have no limit. */
const maxPending = 1024 * 1024;

/** For failures to write the log, which cannot be reported anywhere. */
const nowhere = (): void => undefined;

interface Destination {
  /** Bytes that wait for the reader. */
  readonly writableLength: number;
  write(text: string): unknown;
  once(event: 'drain', listener: () => void): unknown;
}

/**
 * Writes the lines of the log in order. Those of requests are collected until the end of the event
 * loop's turn, since a write costs more than the line itself; any other line is written at once,
 * after those before it. Nobody waits for a slow reader: past a megabyte, lines are dropped and
 * counted.
 */
export class LogOutput {
  #collected = '';
  #collectedLines = 0;
  #scheduled = false;
  #dropped = 0;
  #report: (lines: number) => void = () => undefined;

  /** @param destination stderr; a function, because Node opens it at the first use. */
  constructor(private readonly destination: () => Destination) {}

  /** @param report logs how many lines were dropped, once the reader has caught up. */
  reportDropped(report: (lines: number) => void): void {
    this.#report = report;
  }

  /** Writes a line, without its end, by the end of this turn of the event loop. */
  collect(line: string): void {
    if (this.#collected.length + line.length >= batchSize) this.flush();
    this.#collected += `${line}\n`;
    this.#collectedLines += 1;
    if (this.#scheduled) return;
    this.#scheduled = true;
    const flush = guarded(nowhere, () => {
      this.#scheduled = false;
      this.flush();
    });
    setImmediate(flush);
  }

  /** Writes an entry of one or more lines now. */
  write(entry: string): void {
    this.flush();
    this.#pass(entry, 1);
  }

  flush(): void {
    if (this.#collectedLines === 0) return;
    const [text, lines] = [this.#collected, this.#collectedLines];
    this.#collected = '';
    this.#collectedLines = 0;
    this.#pass(text, lines);
  }

  #pass(text: string, lines: number): void {
    const destination = this.destination();
    if (destination.writableLength + text.length <= maxPending) {
      destination.write(text);
      return;
    }
    if (this.#dropped === 0) {
      const report = guarded(nowhere, () => {
        const dropped = this.#dropped;
        this.#dropped = 0;
        this.#report(dropped);
      });
      destination.once('drain', report);
    }
    this.#dropped += lines;
  }
}

/**
 * Where the log of this process goes. A line that cannot be written is lost, and ends nothing. A stream of
 * Node's writes nothing any more after its first failure, though a full disk has space again some day:
 * where writes do not wait for a reader, they are made here.
 */
function openStderr(): Destination {
  const lose = guarded(nowhere, nowhere);
  // In addition to one for each process whose stderr is piped there.
  process.stderr.setMaxListeners(process.stderr.getMaxListeners() + 1).on('error', lose);
  if (isatty(2) || !isFile(2)) return process.stderr;
  const write = (text: string): void => {
    try {
      writeSync(2, text);
    } catch {
      // There is no other place to say so.
    }
  };
  return { write, writableLength: 0, once: ignore };
}

/** Or a device. */
function isFile(descriptor: number): boolean {
  const found = fstatSync(descriptor);
  return found.isFile() || found.isCharacterDevice();
}

let stderr: Destination | undefined;

/** The log of this process. */
export const logOutput = new LogOutput(() => (stderr ??= openStderr()));

const flush = guarded(nowhere, () => logOutput.flush());
process.once('exit', flush);

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
  /(?<![\w-])(?=[\w-]*eyJ)[\w-]+\.[\w-]+\.[\w-]+|(?<=[?&](?:sig|X-Amz-Signature)=)[\w%-]+|(?<=[?&](?:(?:ssl)?password|oauth_client_secret|scram_(?:client|server)_key)=)[^&#\s"']+|(?<=:\/\/[^:/@\s]+:)[^@/\s]+(?=@)/g;

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

/** The same document, but nothing in it steers a terminal that shows it. */
const escaped = winston.format((info) => {
  info[formatted] = printable(String(info[formatted]));
  return info;
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
      options.format === 'json' ? combine(json(), escaped()) : line,
    ),
    transports: [new OutputTransport()],
  });
  logOutput.reportDropped((lines) => logger.warn('log lines dropped', { lines }));
  return logger;
}

type LogLevel = (typeof logLevels)[number];

/**
 * Milliseconds between two reads of the file. Not watchFile, which reports changes since its own
 * first look: a level that had come before that look, and ours had missed, would be ignored.
 */
const pollMs = secondMs;

/** The level that is a file's only word; undefined if the file is missing or has other contents. */
export function readLevel(file: string): LogLevel | undefined {
  const text = Buffer.alloc(16);
  let length: number;
  try {
    const descriptor = openSync(file, 'r');
    try {
      length = readSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
  const word = text.toString('utf8', 0, length).trim();
  return logLevels.find((level) => level === word);
}

/**
 * Applies the level in a file to a logger as long as the file exists, without a restart or a signal:
 * every process of a service follows the same file. @returns a function that stops following.
 */
export function followLevel(file: string, logger: Logger): () => void {
  const configured = logger.level;
  const follow = (): void => {
    const level = readLevel(file) ?? configured;
    if (level === logger.level) return;
    const report = (): void => void logger.info('the log level has changed', { to: level });
    if (logger.level === 'info' || logger.level === 'debug') report();
    const silent = logger.level === 'error' || logger.level === 'warn';
    logger.level = level;
    if (silent) report();
  };
  // After a failure the level stays as it is.
  const check = guarded(ignore, follow);
  check();
  const polling = setInterval(check, pollMs).unref();
  return () => clearInterval(polling);
}
