import ipaddr from 'ipaddr.js';

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
