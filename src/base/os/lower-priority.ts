import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** The lowest CPU priority. */
const nice = constants.priority.PRIORITY_LOW;

/**
 * Gives all other processes of the machine priority, so that a service on it stays responsive.
 * Later child processes inherit this: a database server that others may keep using must already be
 * running. Has no effect if the system does not permit it.
 */
export function lowerPriority(): void {
  setProcessPriority(nice);
  // With autogroup scheduling, priorities count only within a session. The session of a terminal
  // belongs to the shell, and is not changed.
  if (isSessionLeader()) unlessRefused(() => writeFileSync('/proc/self/autogroup', String(nice)));
}

/**
 * Sets the priority of all threads, if the system permits it: on Linux each thread has its own, and
 * its child processes inherit it.
 */
export function setProcessPriority(priority: number): void {
  for (const thread of threads()) unlessRefused(() => setPriority(thread, priority));
}

function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [process.pid]; // not Linux
  }
}

function isSessionLeader(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // After the name, which may contain anything: state, parent, process group, session (proc(5)).
    const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
    return Number(session) === process.pid;
  } catch {
    return false;
  }
}

/** A thread may have ended; a container may forbid it. */
function unlessRefused(work: () => void): void {
  try {
    work();
  } catch {
    // other processes then run slower, with no other effect
  }
}
