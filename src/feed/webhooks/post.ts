import { type LookupFunction, isIPv6 } from 'node:net';
import { withDeadline } from '../../base/concurrency.js';
import { version } from '../../base/installed-files.js';
import { guarded, ignore } from '../../base/guarded.js';
import { secondMs } from '../../base/units.js';
import { numericHost, type Targets, type Resolve } from './target.js';

/** Time limit of an attempt, in milliseconds. */
export const attemptMs = 15 * secondMs;

/** Maximum length of a recorded error, in characters. */
const maxErrorLength = 300;

/** The outcome of an attempt: the status of the response, or why there is none. */
export type DeliveryOutcome = { readonly status: number } | { readonly error: string };

export interface Posting {
  readonly targets: Targets;
  readonly resolve: Resolve;
}

interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts once, on a separate connection to an IP that has been checked. Redirects are not followed;
 * only the status of the response is read.
 */
export async function post(
  sent: PostRequest,
  posting: Posting,
  stopping: AbortSignal,
): Promise<DeliveryOutcome> {
  try {
    const attempt = (until: AbortSignal) => statusOf(sent, posting, until);
    return { status: await withDeadline(stopping, attemptMs, attempt) };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    const reason = isLate ? 'no answer within 15 s' : textOf(error);
    return { error: reason.slice(0, maxErrorLength) };
  }
}

async function statusOf(sent: PostRequest, { targets, resolve }: Posting, signal: AbortSignal) {
  const objection = targets.objectionTo(sent.url);
  if (objection !== undefined) throw new Error(`url must be ${objection}`);
  const url = new URL(sent.url);
  const found = numericHost(url) === undefined ? await resolve(url.hostname, signal) : [];
  if (!found.every((ip) => targets.allowedIps.allows(ip))) {
    // Platforms can read this message, so it must not reveal the IPs of the operator's hosts.
    const reason = `${url.hostname} resolves to an IP that is not public`;
    throw new Error(`${reason}, which needs the setting webhooks.allow_networks`);
  }
  // Loaded with the first delivery only: it takes 7 MB and a tenth of a second.
  const { Client } = await import('undici');
  const client = new Client(url.origin, {
    connect: { lookup: pinnedTo(found), timeout: attemptMs },
    headersTimeout: attemptMs,
  });
  try {
    const { statusCode, body } = await client.request({
      method: 'POST',
      path: url.pathname + url.search,
      body: sent.body,
      signal,
      headers: { ...sent.headers, 'user-agent': `imgstore/${version()}` },
    });
    body.on('error', guarded(ignore, ignore)); // the body is not read to its end
    return statusCode;
  } finally {
    await client.destroy();
  }
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
