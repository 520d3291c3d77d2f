import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** The weakest claim to the processor that there is. */
const nice = constants.priority.PRIORITY_LOW;

/**
 * Lets every other process of the machine have the processor first, so that a service here goes on
 * answering as quickly as before. Processes that are started later inherit it: a database server that
 * others may go on to use must be running by then. Where the system does not allow it, everything
 * stays as it was.
 */
export function giveWay(): void {
  setProcessPriority(nice);
  // A kernel that shares the processor among sessions first compares only threads of one session. The
  // session of a terminal belongs to the shell, and stays as it is.
  if (isSessionLeader()) unlessRefused(() => writeFileSync('/proc/self/autogroup', String(nice)));
}

/** Of all threads, as far as the system allows: Linux has one for each, which hands its own on. */
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
    // slower for others, and otherwise the same
  }
}
