import { closeSync, openSync, readSync } from 'node:fs';
import { guarded, ignore } from '../guarded.js';
import { secondMs } from '../units.js';
import type { Logger } from './logger.js';

/** From the least to the most verbose. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof logLevels)[number];

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
