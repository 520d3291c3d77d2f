import type { Home } from '../base/config/home.js';
import type { Config } from '../base/config/options.js';
import { ServiceError, catalogue } from '../base/errors/catalogue.js';
import { badConfiguration, wrongUsage } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import { bytesPerMegabyte, secondMs } from '../base/units.js';
import { failureBody } from '../http/envelope.js';
import { uploadFieldLimits } from '../http/form-fields.js';
import { requestTimeoutMs } from '../http/server.js';

/** What a reverse proxy needs to know about the nodes behind it. */
interface ProxySettings {
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
const proxyResponses = {
  tooLarge: JSON.stringify(failureBody(new ServiceError('upload_too_large'))),
  unavailable: JSON.stringify(failureBody(new ServiceError('unavailable'))),
  /** Seconds, for `unavailable`. */
  retryAfter: catalogue.unavailable.retryAfter,
};

/** Of an upload that resumes, of a user or of a visitor of a link. */
const uploadPath = '/(api/v1/users|s)/[^/?]+/uploads/[^/?]+';

/** A site for nginx 1.18 or later, to be included within `http`. */
export function nginxConfig(proxy: ProxySettings): string {
  const { upstreams, site, keepAlive, remarks } = proxy;
  const secure = site?.protocol === 'https:';
  const name = site?.hostname ?? '_';
  return `# Generated by "imgstore proxy-config nginx". Save it as /etc/nginx/conf.d/imgstore.conf, then
# nginx -t && nginx -s reload
${remarks.map((remark) => `# NOTE: ${remark}\n`).join('')}
upstream imgstore {
${upstreams.map((upstream) => `    server ${upstream} max_fails=1 fail_timeout=5s;`).join('\n')}
    keepalive 32;
    keepalive_timeout ${keepAlive}s; # shorter than imgstore's own, or requests may hit closed connections
}

# Clients of tus begin anew when they are told anything else while no node answers (docs/adr/0019).
map "$request_method $request_uri" $imgstore_resumes {
    default 0;
    "~^HEAD ${uploadPath}" 1;
}

${secure ? redirect(name, site) : ''}server {
    listen ${site?.port || (secure ? 443 : 80)}${secure ? ' ssl' : ''};
    server_name ${name};
${tls(secure)}
${body(proxy)}
}
`;
}

const redirect = (name: string, site: URL): string => `server {
    listen 80;
    server_name ${name};
    location / {
        return 308 https://${site.host}$request_uri;
    }
    location ~* ^/s/ {
        access_log off; # as below
        return 308 https://${site.host}$request_uri;
    }
}

`;

const tls = (secure: boolean): string =>
  secure
    ? `    ssl_certificate     /etc/nginx/tls/imgstore.crt; # your certificate
    ssl_certificate_key /etc/nginx/tls/imgstore.key;`
    : `    # For TLS, set public_url to https://… and generate this file again.`;

const body = (proxy: ProxySettings): string => `
    client_max_body_size ${proxy.bodyBytes}; # limits.max_upload_mb, plus the form around the file
    client_body_timeout ${proxy.patience}s;

    # Only text: pictures and archives are compressed already.
    gzip on;
    gzip_types application/json text/javascript text/css;
    gzip_min_length 1024;
    gzip_comp_level 1;
    gzip_proxied any;
    gzip_vary on;

    location / {
${passingOn(proxy)}
    }
    # The address of a link gives access to whoever reads it, so no log has it; imgstore's own shows /s/….
    location ~* ^/s/ {
        access_log off;
        error_log /dev/null crit;
${passingOn(proxy)}
    }
${proxy.accel ? sending(proxy, proxy.accel) : ''}
    # Errors that nginx itself reports use the API's envelope.
    error_page 413 = @too_large;
    error_page 502 504 = @unavailable;
    location @too_large {
        default_type application/json;
        return 413 ${quoted(proxyResponses.tooLarge)};
    }
    location @unavailable {
        default_type application/json;
        add_header Retry-After ${proxyResponses.retryAfter} always;
        if ($imgstore_resumes) {
            return 423;
        }
        return 503 ${quoted(proxyResponses.unavailable)};
    }`;

/** What a location passes to imgstore. */
const passingOn = (proxy: ProxySettings): string => `        proxy_pass http://imgstore;
${passing(proxy)}
        # nginx compresses, so that imgstore need not.
        proxy_set_header Accept-Encoding "";
        proxy_set_header X-Sendfile-Type ${proxy.accel ? 'X-Accel-Redirect' : '""'};

        # Uploads and archives are streamed, not buffered on this machine's disk.
        proxy_request_buffering off;
        proxy_buffering off;

${waiting(proxy)}`;

const passing = ({ chained }: ProxySettings): string => `        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
${forwarded(chained)}`;

const waiting = ({
  patience,
}: ProxySettings): string => `        # Longer than imgstore's own timeouts, so that its response comes first.
        proxy_connect_timeout 5s;
        proxy_send_timeout ${patience}s;
        proxy_read_timeout ${patience}s;
        # An unreachable node is skipped; a request that a node has started is not retried.
        proxy_next_upstream error timeout;`;

/** Headers of a file's response that nginx does not copy from imgstore by default. */
const fileHeaders = [
  'ETag',
  'X-Request-Id',
  'X-Content-Type-Options',
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
  'Vary',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
];

/** Sends files after imgstore has authorized the request. */
const sending = (
  proxy: ProxySettings,
  { location, store }: NonNullable<ProxySettings['accel']>,
): string => `
    # files.accel: imgstore checks the signature and the conditions of a request, nginx sends the file.
    location ${location} {
        internal;
        alias "${store}/";
        sendfile on;
        tcp_nopush on;
        # imgstore has checked conditions, against its own ETag.
        if_modified_since off;
        etag off;
        max_ranges 1;
${fileHeaders.map((name) => `        add_header ${name} $upstream_http_${name.toLowerCase().replaceAll('-', '_')};`).join('\n')}
        # imgstore sends the files that nginx cannot read.
        error_page 403 404 = @sent_by_imgstore;
    }
    location @sent_by_imgstore {
        proxy_pass http://imgstore$request_uri;
${passing(proxy)}
        proxy_set_header X-Sendfile-Type "";
        proxy_buffering off;

${waiting(proxy)}
    }
`;

/** Behind other proxies, their forwarding headers are kept; otherwise they are overwritten. */
const forwarded = (chained: boolean): string =>
  [
    `X-Forwarded-For ${chained ? '$proxy_add_x_forwarded_for' : '$remote_addr'}`,
    `X-Forwarded-Host ${chained ? '$http_x_forwarded_host' : '$http_host'}`,
    `X-Forwarded-Port ${chained ? '$http_x_forwarded_port' : '""'}`,
    `X-Forwarded-Prefix ${chained ? '$http_x_forwarded_prefix' : '""'}`,
    `X-Forwarded-Proto ${chained ? '$http_x_forwarded_proto' : '$scheme'}`,
  ]
    .map((header) => `        proxy_set_header ${header};`)
    .join('\n');

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

/** A Caddyfile for Caddy 2.6 or later. */
export function caddyConfig({ upstreams, site, ...proxy }: ProxySettings): string {
  const { bodyBytes, keepAlive, patience, remarks, chained } = proxy;
  const siteAddress = site ? site.origin : ':80';
  return `# Generated by "imgstore proxy-config caddy". Save it as /etc/caddy/Caddyfile, then
# caddy validate --config /etc/caddy/Caddyfile && caddy reload --config /etc/caddy/Caddyfile
${remarks.map((remark) => `# NOTE: ${remark}\n`).join('')}
${siteAddress} {
	# Without this line, Caddy obtains a certificate for a public host name automatically.
	# tls /etc/caddy/tls/imgstore.crt /etc/caddy/tls/imgstore.key

	# limits.max_upload_mb, plus the form around the file.
	request_body {
		max_size ${bodyBytes}
	}

	reverse_proxy ${upstreams.join(' ')} {
		# An unreachable node is skipped.
		lb_policy round_robin
		lb_try_duration 5s
		fail_duration 5s
		# Archives are streamed.
		flush_interval -1
${chained ? '\t\ttrusted_proxies private_ranges\n' : '\t\theader_up -X-Forwarded-Port\n\t\theader_up -X-Forwarded-Prefix\n'}		transport http {
			dial_timeout 5s
			# Longer than imgstore's own timeouts, so that its response comes first.
			response_header_timeout ${patience}s
			# Shorter than imgstore's own, or requests may hit closed connections.
			keepalive ${keepAlive}s
		}
	}

	# Errors that Caddy itself reports use the API's envelope.
	handle_errors {
		header Content-Type application/json
		@too_large expression {http.error.status_code} == 413
		respond @too_large \`${proxyResponses.tooLarge}\` 413
		header Retry-After ${proxyResponses.retryAfter}
		# Clients of tus begin anew when they are told anything else.
		@resumes {
			method HEAD
			path_regexp ^${uploadPath}
		}
		respond @resumes 423
		respond \`${proxyResponses.unavailable}\` 503
	}
}
`;
}
