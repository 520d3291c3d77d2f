import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { guarded, ignore } from '../../base/guarded.js';
import { secondMs } from '../../base/units.js';

/** Resolves a name to its IPs. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const hostsFile = '/etc/hosts';
/**
 * Reads the hosts file and then queries the name servers. Does not use getaddrinfo, which occupies
 * one of the few threads of the process while a name server does not answer; the names come from
 * platforms.
 */
export const resolveName: Resolve = async (name, signal) => {
  const listed = ipsInHostsFile(await readFile(hostsFile, 'utf8').catch(() => ''), name);
  if (listed.length > 0) return listed;
  const resolver = new Resolver({ timeout: 3 * secondMs, tries: 2 });
  const cancel = guarded(ignore, () => resolver.cancel());
  signal.addEventListener('abort', cancel, { once: true });
  const answers = [resolver.resolve4(name), resolver.resolve6(name)];
  const settled = await Promise.allSettled(answers);
  signal.removeEventListener('abort', cancel);
  const found = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  if (found.length > 0) return found;
  throw new Error(`the name ${name} cannot be resolved`);
};

/** The IPs of a name in a hosts file. */
export function ipsInHostsFile(hosts: string, name: string): string[] {
  const wanted = name.toLowerCase();
  return hosts.split('\n').flatMap((line) => {
    const [ip, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return ip && names.includes(wanted) ? [ip] : [];
  });
}
