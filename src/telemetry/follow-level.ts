import { closeSync, openSync, readSync, unwatchFile, watchFile } from 'node:fs';
import { guarded, ignore } from '../guarded.js';
import { secondMs } from '../units.js';
import type { Logger } from './logger.js';

/** From the quietest to the most talkative. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Milliseconds between two looks at the file: asking costs less than being told on some disks. */
const lookMs = secondMs;

/** The level that a file has as its only word; undefined if it is missing or has anything else. */
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
 * Gives a logger the level in a file for as long as that is there, without a restart and without a
 * signal: every process of a service follows the same file. @returns what ends this.
 */
export function followLevel(file: string, logger: Logger): () => void {
  const configured = logger.level;
  const follow = (): void => {
    const level = readLevel(file) ?? configured;
    if (level === logger.level) return;
    const tell = (): void => void logger.info('the log level has changed', { to: level });
    if (logger.level === 'info' || logger.level === 'debug') tell();
    const silent = logger.level === 'error' || logger.level === 'warn';
    logger.level = level;
    if (silent) tell();
  };
  // After a failure the level stays as it is.
  const look = guarded(ignore, follow);
  watchFile(file, { persistent: false, interval: lookMs }, look);
  look();
  return () => unwatchFile(file, look);
}
