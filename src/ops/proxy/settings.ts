import type { Home } from '../../base/config/home.js';
import type { Config } from '../../base/config/options.js';
import { badConfiguration, wrongUsage } from '../../base/errors/operator.js';
import { ServiceError, catalogue } from '../../base/errors/catalogue.js';
import { failureBody } from '../../http/envelope.js';
import { uploadFieldLimits } from '../../http/form-fields.js';
import { requestTimeoutMs } from '../../http/server.js';
import { bytesPerMegabyte, secondMs } from '../../base/units.js';
import { commandLine } from '../../base/os/command-line.js';

/** What a reverse proxy needs to know about the nodes behind it. */
export interface ProxySettings {
  /** `host:port` of each node. */
  readonly upstreams: readonly string[];
  /** Public URL of the proxy; undefined if `public_url` is not set. */
  readonly site: URL | undefined;
  /** Maximum size of a request body in bytes. */
  readonly bodyBytes: number;
  /** Seconds that the proxy waits for a node or a client: longer than the node itself. */
  readonly patience: number;
  /** Seconds that an idle connection to a node is kept: shorter than the node's own limit. */
  readonly keepAlive: number;
  /** Whether there are other proxies in front, whose forwarding headers must be passed on. */
  readonly chained: boolean;
  /**
   * The location and directory from which nginx sends files itself; undefined if imgstore sends
   * them.
   */
  readonly accel: { readonly location: string; readonly store: string } | undefined;
  /** Remaining tasks of the operator, one sentence each. */
  readonly remarks: readonly string[];
}

/** Allowance for a form's parts besides its file: past it, imgstore itself rejects the body. */
const formBytes = 2 * uploadFieldLimits.bytes;

const marginSeconds = 60;

/**
 * @param given nodes as `host:port`; by default the one in the settings.
 * @throws OperatorError (2) for an invalid node, (78) for a `public_url` with a path.
 */
export function proxySettings(config: Config, home: Home, given: readonly string[]): ProxySettings {
  for (const upstream of given) assertUpstream(upstream);
  const accel = config['files.accel'];
  return {
    upstreams: given.length > 0 ? given : [ownUpstream(config)],
    site: siteOf(config.public_url),
    bodyBytes: Math.ceil(config['limits.max_upload_mb'] * bytesPerMegabyte) + formBytes,
    patience: requestTimeoutMs / secondMs + marginSeconds,
    keepAlive: Math.max(1, config.keep_alive - 1),
    chained: config.trust_proxy > 1,
    accel: accel === undefined ? undefined : { location: accel, store: home.store },
    remarks: [
      ...(config.trust_proxy > 0 ? [] : [distrust(home)]),
      ...(accel === undefined ? [] : [readable(home)]),
    ],
  };
}

const distrust = (home: Home): string =>
  'trust_proxy is 0, so imgstore treats the proxy as the client of every request. ' +
  `Set it on each node: "trust_proxy: 1" in ${home.configFile}, or ${commandLine('serve', '--trust-proxy', '1')}`;

const readable = (home: Home): string =>
  `files.accel makes nginx read ${home.store}, which only imgstore's own user can: run the workers ` +
  'of nginx as that user ("user imgstore;" in nginx.conf). imgstore sends the files that they cannot read.';

function assertUpstream(upstream: string): void {
  if (/^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i.test(upstream)) return;
  throw wrongUsage(`--upstream must be HOST:PORT, not ${JSON.stringify(upstream)}.`, {
    setting: '--upstream',
    remedy: commandLine(
      'proxy-config',
      'nginx',
      '--upstream',
      '10.0.0.11:8080',
      '--upstream',
      '10.0.0.12:8080',
    ),
  });
}

function ownUpstream({ host, port }: Config): string {
  if (port === 0) {
    throw wrongUsage('The port is picked at startup (0), so it is not known in advance.', {
      setting: 'port',
      remedy: 'Specify it: --upstream 127.0.0.1:8080',
    });
  }
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function siteOf(publicUrl: string | undefined): URL | undefined {
  if (publicUrl === undefined) return undefined;
  const site = new URL(publicUrl);
  if (site.pathname === '/') return site;
  throw badConfiguration(
    `public_url has a path (${site.pathname}); imgstore can only be served at the root of a host.`,
    {
      setting: 'public_url',
      remedy: `Use a separate host name, as in ${site.protocol}//images.${site.host}`,
    },
  );
}

/** The responses that the proxy itself sends, in the API's envelope. */
export const proxyResponses = {
  tooLarge: JSON.stringify(failureBody(new ServiceError('upload_too_large'))),
  unavailable: JSON.stringify(failureBody(new ServiceError('unavailable'))),
  /** Seconds, for `unavailable`. */
  retryAfter: catalogue.unavailable.retryAfter,
};
