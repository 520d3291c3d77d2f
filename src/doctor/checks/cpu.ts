import { readFile } from 'node:fs/promises';
import { ok, problem, type Check, type Finding } from '../check.js';

/** What the image library was compiled for (x86-64-v2), as the kernel names it. */
const required = ['cx16', 'lahf_lm', 'popcnt', 'sse4_1', 'sse4_2', 'ssse3'];

/** @param description the text of /proc/cpuinfo. */
export function judgeProcessor(description: string): Finding {
  const flags = /^flags\s*:(.*)$/m.exec(description)?.[1]?.trim().split(' ') ?? [];
  const missing = required.filter((flag) => !flags.includes(flag));
  if (missing.length === 0) return ok('The processor has all that the image library needs.');
  return problem(
    `The processor lacks ${missing.join(', ')}, which the image library needs (x86-64-v2).`,
    'Give a virtual machine the processor of its host, such as "cpu: host" in Proxmox or "<cpu mode=\'host-passthrough\'/>" in libvirt; otherwise use a machine from 2009 or later.',
  );
}

export const cpu: Check = {
  name: 'cpu',
  title: 'The processor has what the image library needs',
  category: 'machine',
  run: async () => {
    if (process.arch !== 'x64') return ok(`A processor of the kind ${process.arch}.`);
    return judgeProcessor(await readFile('/proc/cpuinfo', 'utf8'));
  },
};
