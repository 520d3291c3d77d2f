import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { Client } from 'undici';
import { withDeadline } from '../deadline.js';
import { version } from '../config/version.js';
import { guarded, ignore } from '../guarded.js';
import { secondMs } from '../units.js';
import { numericHost } from './address.js';
import type { Resolve } from './resolve.js';
import type { Targets } from './target.js';

/** How long an attempt may take in all, in milliseconds. */
export const attemptMs = 15 * secondMs;

/** Longest description of a failure that is kept. */
const longestError = 300;

/** What came of an attempt: the status of the answer, or why there is none. */
export type Outcome = { readonly status: number } | { readonly error: string };

export interface Posting {
  readonly targets: Targets;
  readonly resolve: Resolve;
}

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts once, on a connection of its own to an address that was checked. Redirects are not followed;
 * of the answer, only the status is read.
 */
export async function post(sent: Sent, posting: Posting, stopping: AbortSignal): Promise<Outcome> {
  try {
    const attempt = (until: AbortSignal) => statusOf(sent, posting, until);
    return { status: await withDeadline(stopping, attemptMs, attempt) };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    const reason = isLate ? 'no answer within 15 s' : textOf(error);
    return { error: reason.slice(0, longestError) };
  }
}

async function statusOf(sent: Sent, { targets, resolve }: Posting, signal: AbortSignal) {
  const objection = targets.objectionTo(sent.url);
  if (objection !== undefined) throw new Error(`url must be ${objection}`);
  const url = new URL(sent.url);
  const found = numericHost(url) === undefined ? await resolve(url.hostname, signal) : [];
  if (!found.every((address) => targets.addresses.allows(address))) {
    // Platforms read this; which addresses the operator's names have is not theirs to know.
    const where = `${url.hostname} is at an address that is not public`;
    throw new Error(`${where}, which needs the setting webhooks.allow_networks`);
  }
  const client = new Client(url.origin, {
    connect: { lookup: pinnedTo(found), timeout: attemptMs },
    headersTimeout: attemptMs,
  });
  try {
    const { statusCode, body } = await client.request({
      ...{ method: 'POST', path: url.pathname + url.search, body: sent.body, signal },
      headers: { ...sent.headers, 'user-agent': `imgstore/${version()}` },
    });
    body.on('error', guarded(ignore, ignore)); // of its end, which comes early
    return statusCode;
  } finally {
    await client.destroy();
  }
}

/** Has every name be at these addresses, of which there is one at least. */
const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const [{ address, family } = { address: '', family: 4 }] = found;
    if (all) callback(null, found);
    else callback(null, address, family);
  };

/** The innermost message: of several failed connections, of the first. */
function textOf(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}
