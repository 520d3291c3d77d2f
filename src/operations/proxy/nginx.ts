import { proxyAnswers } from './settings.js';
import type { ProxyFacts } from './settings.js';

/** A site for nginx 1.18 or newer, to be included within `http`. */
export function nginxConfig(facts: ProxyFacts): string {
  const { upstreams, site, keepAlive, remarks } = facts;
  const secure = site?.protocol === 'https:';
  const name = site?.hostname ?? '_';
  return `# Made by "imgstore proxy-config nginx": save it as /etc/nginx/conf.d/imgstore.conf, then
# nginx -t && nginx -s reload
${remarks.map((remark) => `# NOTE: ${remark}\n`).join('')}
upstream imgstore {
${upstreams.map((address) => `    server ${address} max_fails=1 fail_timeout=5s;`).join('\n')}
    keepalive 32;
    keepalive_timeout ${keepAlive}s; # shorter than imgstore's own, or requests meet closed connections
}

${secure ? redirect(name, site) : ''}server {
    listen ${site?.port || (secure ? 443 : 80)}${secure ? ' ssl' : ''};
    server_name ${name};
${tls(secure)}
${body(facts)}
}
`;
}

const redirect = (name: string, site: URL): string => `server {
    listen 80;
    server_name ${name};
    return 308 https://${site.host}$request_uri;
}

`;

const tls = (secure: boolean): string =>
  secure
    ? `    ssl_certificate     /etc/nginx/tls/imgstore.crt; # put yours there
    ssl_certificate_key /etc/nginx/tls/imgstore.key;`
    : `    # With TLS: set public_url to https://…, and print this again.`;

const body = ({ bodyBytes, patience, chained }: ProxyFacts): string => `
    client_max_body_size ${bodyBytes}; # limits.max_upload_mb, and room for the form around the file
    client_body_timeout ${patience}s;

    location / {
        proxy_pass http://imgstore;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
${forwarded(chained)}

        # Uploads and archives flow through; nothing is gathered on this machine's disk.
        proxy_request_buffering off;
        proxy_buffering off;

        # Longer than imgstore waits itself: its own answer comes first.
        proxy_connect_timeout 5s;
        proxy_send_timeout ${patience}s;
        proxy_read_timeout ${patience}s;
        # A node that cannot be reached is passed over; what a node has begun is not done twice.
        proxy_next_upstream error timeout;
    }

    # What nginx must answer by itself is said in the words of the API.
    error_page 413 = @too_large;
    error_page 502 504 = @unavailable;
    location @too_large {
        default_type application/json;
        return 413 ${quoted(proxyAnswers.tooLarge)};
    }
    location @unavailable {
        default_type application/json;
        add_header Retry-After ${proxyAnswers.retryAfter} always;
        return 503 ${quoted(proxyAnswers.unavailable)};
    }`;

/** With proxies in front, what they say of the client is kept; otherwise nobody's word counts. */
const forwarded = (chained: boolean): string =>
  [
    `X-Forwarded-For ${chained ? '$proxy_add_x_forwarded_for' : '$remote_addr'}`,
    `X-Forwarded-Host ${chained ? '$http_x_forwarded_host' : '$http_host'}`,
    `X-Forwarded-Proto ${chained ? '$http_x_forwarded_proto' : '$scheme'}`,
  ]
    .map((header) => `        proxy_set_header ${header};`)
    .join('\n');

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
