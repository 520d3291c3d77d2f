import { readFileSync } from 'node:fs';

/** More would take hundreds of megabytes for clients that do not read their responses. */
const maxDefaultConnections = 4096;

/** For the database, the imaging process, the log, and the program itself. */
const reserve = 256;

/**
 * A client's connection, the file or upload it transfers, and one connection to the object store.
 */
const perConnection = 3;

/** Files that this many connections need at most. */
export const filesFor = (connections: number): number => reserve + connections * perConnection;

/** Connections that fit in a limit of open files. */
export const connectionsWithin = (files: number): number =>
  Math.max(1, Math.floor((files - reserve) / perConnection));

/** The number of connections that the open-file limit allows, within reason. */
export function defaultMaxConnections(): number {
  const available = connectionsWithin(openFilesLimit() ?? Infinity);
  return Math.max(64, Math.min(maxDefaultConnections, available));
}

/**
 * Files that a process may have open; undefined if unknown. Node raises the soft limit to the hard one
 * at startup. @param pid default: this process.
 */
export function openFilesLimit(pid?: number): number | undefined {
  try {
    const limits = readFileSync(`/proc/${pid ?? 'self'}/limits`, 'utf8');
    const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
    return limit > 0 ? limit : undefined;
  } catch {
    return undefined; // not Linux, or another user's process
  }
}
