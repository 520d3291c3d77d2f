import { readFile } from 'node:fs/promises';
import { ok, problem, type Check, type Diagnosis } from '../check.js';

/** Processor features that the image library requires (x86-64-v2), as the kernel names them. */
const required = ['cx16', 'lahf_lm', 'popcnt', 'sse4_1', 'sse4_2', 'ssse3'];

/** @param description the text of /proc/cpuinfo. */
export function judgeProcessor(description: string): Diagnosis {
  const flags = /^flags\s*:(.*)$/m.exec(description)?.[1]?.trim().split(' ') ?? [];
  const missing = required.filter((flag) => !flags.includes(flag));
  if (missing.length === 0)
    return ok('The processor has all features that the image library needs.');
  return problem(
    `The processor lacks ${missing.join(', ')}, which the image library needs (x86-64-v2).`,
    'Give a virtual machine the CPU type of its host, such as "cpu: host" in Proxmox or "<cpu mode=\'host-passthrough\'/>" in libvirt; otherwise use a machine from 2009 or later.',
  );
}

export const cpu: Check = {
  name: 'cpu',
  title: 'The processor supports the image library',
  category: 'machine',
  run: async () => {
    if (process.arch !== 'x64') return ok(`The architecture is ${process.arch}.`);
    return judgeProcessor(await readFile('/proc/cpuinfo', 'utf8'));
  },
};
