import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { guarded, ignore } from '../guarded.js';
import { secondMs } from '../units.js';

/** Finds the IP addresses of a name. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const hostsFile = '/etc/hosts';
/**
 * Asks the hosts file and then the name servers. Not by getaddrinfo, which keeps one of the few
 * threads of the process busy for as long as a name server is silent: platforms choose the names.
 */
export const resolveName: Resolve = async (name, signal) => {
  const listed = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name);
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

/** The addresses that a hosts file has for a name. */
export function addressesIn(hosts: string, name: string): string[] {
  const wanted = name.toLowerCase();
  return hosts.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return address && names.includes(wanted) ? [address] : [];
  });
}
