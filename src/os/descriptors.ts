import { readFileSync } from 'node:fs';

/** More would take hundreds of megabytes for clients that do not read their responses. */
const maxDefaultConnections = 4096;

/** For the database, the imaging process, the log, and the program itself. */
const reserve = 256;

/**
 * A client's connection, the file or upload it transfers, and one connection to the object store.
 */
const perConnection = 3;

/** The number of connections that the open-file limit allows, within reason. */
export function defaultMaxConnections(): number {
  const available = Math.floor((openFilesLimit() - reserve) / perConnection);
  return Math.max(64, Math.min(maxDefaultConnections, available));
}

/** Node raises the soft limit to the hard one at startup. Infinity if unknown. */
function openFilesLimit(): number {
  if (process.platform !== 'linux') return Infinity;
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
}
