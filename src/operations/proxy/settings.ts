import type { Home } from '../../config/home.js';
import type { Config } from '../../config/options.js';
import { badConfiguration, wrongUsage } from '../../errors/operator.js';
import { ServiceError, catalogue } from '../../errors/catalogue.js';
import { failureBody } from '../../http/envelope.js';
import { fieldBytesLimit } from '../../http/form-fields.js';
import { keepAliveMs, requestTimeoutMs } from '../../http/server.js';
import { bytesPerMegabyte, secondMs } from '../../units.js';

/** What a reverse proxy has to know of the nodes behind it. */
export interface ProxyFacts {
  /** `host:port` of each node. */
  readonly upstreams: readonly string[];
  /** Where clients reach the proxy; undefined when `public_url` does not say. */
  readonly site: URL | undefined;
  /** Bytes of a request body at most. */
  readonly bodyBytes: number;
  /** Seconds that the proxy waits for a node, or for a client: longer than the node itself does. */
  readonly patience: number;
  /** Seconds that an idle connection to a node is kept: shorter than the node itself does. */
  readonly keepAlive: number;
  /** Whether other proxies stand in front, whose forwarding headers must be handed on. */
  readonly chained: boolean;
  /** What the operator should still do, a sentence each. */
  readonly remarks: readonly string[];
}

/** Room for what a form carries beside its file: beyond it imgstore refuses by itself. */
const formBytes = 2 * fieldBytesLimit;

const marginSeconds = 60;

/**
 * @param given addresses of nodes, `host:port`; by default the one that the settings tell.
 * @throws OperatorError (2) for an address that is none, (78) for a `public_url` with a path.
 */
export function proxyFacts(config: Config, home: Home, given: readonly string[]): ProxyFacts {
  for (const address of given) assertAddress(address);
  return {
    upstreams: given.length > 0 ? given : [ownAddress(config)],
    site: siteOf(config.public_url),
    bodyBytes: Math.ceil(config['limits.max_upload_mb'] * bytesPerMegabyte) + formBytes,
    patience: requestTimeoutMs / secondMs + marginSeconds,
    keepAlive: keepAliveMs / secondMs - 1,
    chained: config.trust_proxy > 1,
    remarks: config.trust_proxy > 0 ? [] : [distrust(home)],
  };
}

const distrust = (home: Home): string =>
  'trust_proxy is 0, so imgstore takes the proxy for the client of every request. ' +
  `Set it on each node: "trust_proxy: 1" in ${home.configFile}, or imgstore serve --trust-proxy 1`;

function assertAddress(address: string): void {
  if (/^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i.test(address)) return;
  throw wrongUsage(`--upstream must be HOST:PORT, not ${JSON.stringify(address)}.`, {
    setting: '--upstream',
    remedy: 'imgstore proxy-config nginx --upstream 10.0.0.11:8080 --upstream 10.0.0.12:8080',
  });
}

function ownAddress({ host, port }: Config): string {
  if (port === 0) {
    throw wrongUsage('The port is a free one (0), which nobody knows beforehand.', {
      setting: 'port',
      remedy: 'Name it: --upstream 127.0.0.1:8080',
    });
  }
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function siteOf(publicUrl: string | undefined): URL | undefined {
  if (publicUrl === undefined) return undefined;
  const site = new URL(publicUrl);
  if (site.pathname === '/') return site;
  throw badConfiguration(`public_url has a path (${site.pathname}); imgstore serves whole sites.`, {
    setting: 'public_url',
    remedy: `Give it a host name of its own, as in ${site.protocol}//images.${site.host}`,
  });
}

/** The answers that a proxy gives by itself, in the envelope that clients know. */
export const proxyAnswers = {
  tooLarge: JSON.stringify(failureBody(new ServiceError('upload_too_large'))),
  unavailable: JSON.stringify(failureBody(new ServiceError('unavailable'))),
  /** Seconds, of the latter. */
  retryAfter: catalogue.unavailable.retryAfter,
};
