import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** What is globally routed today; everything else of IPv6 is special or not assigned. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');
/** Answers virtual machines of Azure about themselves, from a public range. */
const azureMetadata = '168.63.129.16';

/** Which addresses webhooks may be sent to: public ones, and those that the operator allows. */
export class AllowedAddresses {
  readonly #networks: readonly Network[];

  /** @param networks ranges beyond the public ones, such as 10.1.0.0/16. */
  constructor(networks: readonly string[]) {
    this.#networks = networks.map((network) => ipaddr.parseCIDR(network));
  }

  /** @param text an IP address; one of IPv4 within IPv6 counts as the former. */
  allows(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return isPublic(address) || this.#networks.some((network) => isWithin(address, network));
  }
}

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' &&
  (address.kind() === 'ipv4'
    ? address.toString() !== azureMetadata
    : isWithin(address, globalIpv6));

const isWithin = (address: Address, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network);

/** The IP address that a URL names by number, in whatever notation. */
export function numericHost({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}
