import { proxyAnswers } from './settings.js';
import type { ProxyFacts } from './settings.js';

/** A Caddyfile for Caddy 2.6 or newer. */
export function caddyConfig({ upstreams, site, ...facts }: ProxyFacts): string {
  const { bodyBytes, keepAlive, patience, remarks, chained } = facts;
  const address = site ? site.origin : ':80';
  return `# Made by "imgstore proxy-config caddy": save it as /etc/caddy/Caddyfile, then
# caddy validate --config /etc/caddy/Caddyfile && caddy reload --config /etc/caddy/Caddyfile
${remarks.map((remark) => `# NOTE: ${remark}\n`).join('')}
${address} {
	# Without this line Caddy gets a certificate by itself for a public host name.
	# tls /etc/caddy/tls/imgstore.crt /etc/caddy/tls/imgstore.key

	# limits.max_upload_mb, and room for the form around the file.
	request_body {
		max_size ${bodyBytes}
	}

	reverse_proxy ${upstreams.join(' ')} {
		# A node that cannot be reached is passed over.
		lb_policy round_robin
		lb_try_duration 5s
		fail_duration 5s
		# Archives flow through.
		flush_interval -1
${chained ? '\t\ttrusted_proxies private_ranges\n' : ''}		transport http {
			dial_timeout 5s
			# Longer than imgstore waits itself: its own answer comes first.
			response_header_timeout ${patience}s
			# Shorter than imgstore's own, or requests meet closed connections.
			keepalive ${keepAlive}s
		}
	}

	# What Caddy must answer by itself is said in the words of the API.
	handle_errors {
		header Content-Type application/json
		@too_large expression {http.error.status_code} == 413
		respond @too_large \`${proxyAnswers.tooLarge}\` 413
		header Retry-After ${proxyAnswers.retryAfter}
		respond \`${proxyAnswers.unavailable}\` 503
	}
}
`;
}
