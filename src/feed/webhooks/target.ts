import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../base/config/options.js';
import { invalidField } from '../../base/errors/catalogue.js';
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

type Ip = ReturnType<typeof ipaddr.process>;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** The globally routed range; all other IPv6 ranges are special or unassigned. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');
/** The metadata service of Azure, which has an IP of a public range. */
const azureMetadata = '168.63.129.16';

/** The IPs that webhooks may be sent to: public ones, and those that the operator allows. */
export class AllowedIps {
  readonly #networks: readonly Network[];

  /** @param networks ranges beyond the public ones, such as 10.1.0.0/16. */
  constructor(networks: readonly string[]) {
    this.#networks = networks.map((network) => ipaddr.parseCIDR(network));
  }

  /** @param text an IP; IPv4 embedded in IPv6 counts as IPv4. */
  allows(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const ip = ipaddr.process(text);
    return isPublic(ip) || this.#networks.some((network) => isWithin(ip, network));
  }
}

const isPublic = (ip: Ip): boolean =>
  ip.range() === 'unicast' &&
  (ip.kind() === 'ipv4' ? ip.toString() !== azureMetadata : isWithin(ip, globalIpv6));

const isWithin = (ip: Ip, network: Network): boolean =>
  ip.kind() === network[0].kind() && ip.match(network);

/** The host of a URL if it is an IP, in any notation. */
export function numericHost({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}

/** The URLs that webhooks may be sent to, according to the operator's settings. */
export class Targets {
  readonly allowedIps: AllowedIps;
  readonly #allowHttp: boolean;

  constructor(config: Pick<Config, 'webhooks.allow_http' | 'webhooks.allow_networks'>) {
    this.allowedIps = new AllowedIps(config['webhooks.allow_networks']);
    this.#allowHttp = config['webhooks.allow_http'];
  }

  /**
   * The requirement that a URL violates, completing "must be …"; host names are resolved only on
   * delivery.
   */
  objectionTo(text: string): string | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) return 'a URL that starts with https://';
    if (url.protocol === 'http:' && !this.#allowHttp) {
      return 'a URL that starts with https://; http:// needs the setting webhooks.allow_http';
    }
    if (url.username !== '' || url.password !== '') return 'a URL without a user and password';
    const ip = numericHost(url);
    if (ip !== undefined && !this.allowedIps.allows(ip)) {
      return `a URL of a public host; ${ip} needs the setting webhooks.allow_networks`;
    }
    return undefined;
  }

  /** @throws ServiceError `invalid_field`. */
  assertPossible(text: string): void {
    const objection = this.objectionTo(text);
    if (objection !== undefined) throw invalidField('url', objection);
  }
}
