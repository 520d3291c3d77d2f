import { readFileSync } from 'node:fs';

/** More would hold hundreds of megabytes for clients that take nothing of what they asked for. */
const mostConnections = 4096;

/** For the database, the imaging process, the log and the program itself. */
const reserve = 256;

/** A client's connection, the file or upload that goes through it, and one to the object store. */
const perConnection = 3;

/** Connections that the limit of open files has room for, within reason. */
export function usualConnections(): number {
  const room = Math.floor((openFilesLimit() - reserve) / perConnection);
  return Math.max(64, Math.min(mostConnections, room));
}

/** Node raises the soft limit to the hard one when it starts. Infinity where nobody tells. */
function openFilesLimit(): number {
  if (process.platform !== 'linux') return Infinity;
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
}
