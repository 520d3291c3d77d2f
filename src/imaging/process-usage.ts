import { readFileSync } from 'node:fs';

/** Resources that a process has used so far. */
export interface ProcessUsage {
  /** Of all its threads, including ended ones. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** USER_HZ, the unit in which Linux reports CPU time to programs on every architecture. */
const ticksPerSecond = 100;

/** @returns undefined if the process is gone, or without /proc. */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Fields are counted after the name, which may contain anything but ends at the last
    // parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      residentBytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024,
    };
  } catch {
    return undefined;
  }
}
