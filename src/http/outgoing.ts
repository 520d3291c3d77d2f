import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Dispatcher } from 'undici';
import { withDeadline } from '../base/concurrency.js';
import { invalidField } from '../base/errors/catalogue.js';
import { guarded, ignore } from '../base/guarded.js';
import { version } from '../base/installed-files.js';
import { secondMs, sizeText } from '../base/units.js';

// Requests to URLs that platforms name: of webhooks, and of key sets; and to the service of time stamps. They
// reach public hosts alone, unless the operator allows more.

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

/** The IPs that requests may be sent to: public ones, and those that the operator allows. */
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

/** What requests are for; each has settings of its own. */
type Purpose = 'webhooks' | 'identity' | 'custody';

type AllowSettings<P extends Purpose> = Readonly<Record<`${P}.allow_http`, boolean>> &
  Readonly<Record<`${P}.allow_networks`, readonly string[]>>;

/** The URLs that requests may be sent to, according to the operator's settings. */
export class Targets<P extends Purpose = Purpose> {
  readonly allowedIps: AllowedIps;
  readonly #allowHttp: boolean;

  constructor(
    readonly purpose: P,
    config: AllowSettings<P>,
  ) {
    const http: Readonly<Record<`${P}.allow_http`, boolean>> = config;
    const networks: Readonly<Record<`${P}.allow_networks`, readonly string[]>> = config;
    this.allowedIps = new AllowedIps(networks[`${purpose}.allow_networks`]);
    this.#allowHttp = http[`${purpose}.allow_http`];
  }

  /**
   * The requirement that a URL violates, completing "must be …"; host names are resolved only when a
   * request is sent.
   */
  objectionTo(text: string): string | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) return 'a URL that starts with https://';
    if (url.protocol === 'http:' && !this.#allowHttp) {
      return `a URL that starts with https://; http:// needs the setting ${this.purpose}.allow_http`;
    }
    if (url.username !== '' || url.password !== '') return 'a URL without a user and password';
    const ip = numericHost(url);
    if (ip !== undefined && !this.allowedIps.allows(ip)) {
      return `a URL of a public host; ${ip} needs the setting ${this.purpose}.allow_networks`;
    }
    return undefined;
  }

  /** @throws ServiceError `invalid_field`. */
  assertPossible(text: string, field = 'url'): void {
    const objection = this.objectionTo(text);
    if (objection !== undefined) throw invalidField(field, objection);
  }
}

/** How requests are sent. */
export interface Outgoing {
  readonly targets: Targets;
  readonly resolve: Resolve;
}

interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

type Response = Pick<Dispatcher.ResponseData, 'statusCode' | 'body'>;

interface Bounds {
  /** For all of it, reading the response included, in milliseconds. */
  readonly ms: number;
  readonly stopping: AbortSignal;
}

/**
 * Sends a request once, on a separate connection to an IP that has been checked. Redirects are not
 * followed.
 * @param read what is needed of the response; the connection is closed when it has ended.
 * @throws Error whose message platforms may read.
 */
export async function sendOutgoing<T>(
  wanted: OutgoingRequest,
  outgoing: Outgoing,
  { ms, stopping }: Bounds,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  try {
    return await withDeadline(stopping, ms, (until) => send(wanted, outgoing, until, { ms, read }));
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw new Error(isLate ? `no answer within ${ms / secondMs} s` : textOf(error), {
      cause: error,
    });
  }
}

async function send<T>(
  { method, url: text, headers, body: sent }: OutgoingRequest,
  { targets, resolve }: Outgoing,
  signal: AbortSignal,
  { ms, read }: { readonly ms: number; readonly read: (response: Response) => Promise<T> },
): Promise<T> {
  const objection = targets.objectionTo(text);
  if (objection !== undefined) throw new Error(`url must be ${objection}`);
  const url = new URL(text);
  const found = numericHost(url) === undefined ? await resolve(url.hostname, signal) : [];
  if (!found.every((ip) => targets.allowedIps.allows(ip))) {
    // Platforms can read this message, so it must not reveal the IPs of the operator's hosts.
    const reason = `${url.hostname} resolves to an IP that is not public`;
    throw new Error(`${reason}, which needs the setting ${targets.purpose}.allow_networks`);
  }
  // Loaded with the first request only: it takes 7 MB and a tenth of a second.
  const { Client } = await import('undici');
  const client = new Client(url.origin, {
    connect: { lookup: pinnedTo(found), timeout: ms },
    headersTimeout: ms,
  });
  try {
    const response = await client.request({
      method,
      path: url.pathname + url.search,
      ...(sent !== undefined && { body: sent }),
      signal,
      headers: { ...headers, 'user-agent': `imgstore/${version()}` },
    });
    response.body.on('error', guarded(ignore, ignore)); // it need not be read to its end
    return await read(response);
  } finally {
    await client.destroy();
  }
}

/** All of a response. @throws Error for one that is larger. */
export async function readBody(body: Response['body'], maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Error(`it is larger than ${sizeText(maxBytes)}`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Resolves every name to these IPs, at least one. */
const pinnedTo =
  (ips: readonly string[]): LookupFunction =>
  (_name, { all }, callback) => {
    const found = ips.map((ip) => ({ address: ip, family: isIPv6(ip) ? 6 : 4 }));
    const [{ address, family } = { address: '', family: 4 }] = found;
    if (all) callback(null, found);
    else callback(null, address, family);
  };

/** The message of an error; for several failed connections, that of the first. */
function textOf(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}
