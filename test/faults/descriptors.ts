import { readdir, readFile } from 'node:fs/promises';

/** Open files and connections of a process, now. */
export const descriptorsOf = async (pid: number): Promise<number> =>
  (await readdir(`/proc/${pid}/fd`)).length;

/** Memory of one process, now. Bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
}
