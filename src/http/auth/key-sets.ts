import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK, JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { setTimeout as delay } from 'node:timers/promises';
import { patiently } from '../../base/concurrency.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { runOutside } from '../../base/telemetry/context.js';
import { bytesPerMegabyte, hourMs, minuteMs, secondMs } from '../../base/units.js';
import { readBody, sendOutgoing, type Outgoing } from '../outgoing.js';

/** How long a key set that was read is used before it is read again, in milliseconds. */
const keptMs = 10 * minuteMs;
/** How long it is used beyond that while its host fails, in milliseconds. */
const graceMs = hourMs;
/** The least time between two readings, in milliseconds. */
const pauseMs = 10 * secondMs;
/** How long a reading may take, in milliseconds. */
const readingMs = 5 * secondMs;
/** How long a request waits for it while the keys that are known may be used, in milliseconds. */
const patienceMs = secondMs;

const maxKeySetBytes = bytesPerMegabyte;
const maxKeys = 100;
/** Bits of RSA keys: fewer are not safe, more take long to verify with. */
const rsaBits = { min: 2_048, max: 8_192 };

/** Of all key sets that are kept, about: a set of 100 keys takes 100 KB. */
const maxKeptBytes = 32 * bytesPerMegabyte;
const keyBytes = 1_024;

/** The signatures that are accepted: none that a public key could make. */
export const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 EdDSA'.split(' ');

const usable = 'RSA of 2,048 to 8,192 bits, EC P-256 or P-384, or Ed25519';
const curves = new Set<unknown>(['P-256', 'P-384', 'Ed25519']);

/** What matters of a public key for signatures; undefined for any other key. */
function publicKey(given: unknown): JWK | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { kty, kid, use, alg, key_ops: ops, n, e, crv, x, y, d, k } = given as JWK;
  const isSecret = d !== undefined || k !== undefined;
  const isForSignatures =
    (use === undefined || use === 'sig') &&
    (ops === undefined || (Array.isArray(ops) && ops.includes('verify'))) &&
    (alg === undefined || algorithms.includes(alg));
  if (isSecret || !isForSignatures || (kty !== 'RSA' && !curves.has(crv))) return undefined;
  const material = kty === 'RSA' ? { kty, n, e } : { kty, crv, x, ...(kty === 'EC' && { y }) };
  try {
    const key = createPublicKey({ key: material as JsonWebKey, format: 'jwk' });
    const { modulusLength: bits, publicExponent = 3n } = key.asymmetricKeyDetails ?? {};
    const isRight = bits === undefined || (bits >= rsaBits.min && bits <= rsaBits.max);
    if (!isRight || publicExponent >= 2n ** 32n) return undefined;
  } catch {
    return undefined;
  }
  const named = typeof kid === 'string' && { kid };
  return { ...(material as JWK), ...named, ...(alg !== undefined && { alg }) };
}

/** The usable keys of a key set (RFC 7517); if it has none, what it must be instead. */
export function usableKeys(value: unknown): readonly JWK[] | string {
  const { keys } = (typeof value === 'object' && value ? value : {}) as { keys?: unknown };
  if (!Array.isArray(keys)) return 'a JSON object with a list of keys';
  if (keys.length > maxKeys) return `a key set of at most ${maxKeys} keys`;
  const found = keys.flatMap((key: unknown) => publicKey(key) ?? []);
  return found.length > 0 ? found : `a key set with a public key for signatures: ${usable}`;
}

/** Public keys; another object once they have changed. */
export interface KeySet {
  readonly keys: readonly JWK[];
  readonly find: JWTVerifyGetKey;
}

async function keySetOf(keys: readonly JWK[]): Promise<KeySet> {
  const { createLocalJWKSet } = await import('jose');
  return { keys, find: createLocalJWKSet({ keys: [...keys] }) };
}

/** Reads the key set at a URL, once. @throws Error that says what is wrong with it. */
export function readKeySet(
  url: string,
  outgoing: Outgoing,
  stopping = new AbortController().signal,
): Promise<readonly JWK[]> {
  const request = { method: 'GET', url, headers: { accept: 'application/json' } } as const;
  return sendOutgoing(request, outgoing, { ms: readingMs, stopping }, async (response) => {
    const { statusCode, body } = response;
    if (statusCode !== 200) throw new Error(`its host answers ${statusCode}`);
    const found = usableKeys(parsed((await readBody(body, maxKeySetBytes)).toString('utf8')));
    if (typeof found === 'string') throw new Error(`it must be ${found}`);
    return found;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Where the keys of an identity come from. */
interface KeySource {
  readonly platformId: string;
  /** Another one whenever the identity changes. */
  readonly id: string;
  readonly jwksUrl: string | null;
  /** The key set itself, if it has no URL. */
  readonly jwks: Readonly<Record<string, unknown>> | null;
}

interface Held {
  set?: KeySet;
  /** On the clock of `now`. */
  readAt: number;
  attemptedAt: number;
  /** Why the last reading failed, if it did. */
  failure?: string;
  reading?: Promise<void>;
  /** The next reading, which may not begin yet, and who waits for it. */
  next?: Promise<void>;
  waiting: number;
}

/** Requests that wait until a key set may be read again; others are refused at once. */
const maxWaiting = 256;

/** What a test sets. */
interface Clock {
  /** A monotonic time in milliseconds. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

const realClock: Clock = {
  now: () => performance.now(),
  wait: (ms) => delay(Math.ceil(ms) + 1), // timers drop fractions
};

/**
 * The key sets of platforms, read when they are needed and kept for a while. One reading at a time for
 * each, and nobody waits for another platform's host. Those who need keys that are still good wait for a
 * host only shortly, and not at all while it is known to fail.
 */
export class KeySets {
  readonly #held = new LRUCache<string, Held>({
    maxSize: maxKeptBytes,
    sizeCalculation: ({ set }) => keyBytes * (1 + (set?.keys.length ?? 0)),
  });

  constructor(
    private readonly outgoing: Outgoing,
    private readonly clock = realClock,
  ) {}

  /** The keys that are good now. @throws ServiceError `unauthorized` if there are none. */
  async current(source: KeySource): Promise<KeySet> {
    const held = this.#of(source);
    const age = this.clock.now() - held.readAt;
    if (held.set && (source.jwksUrl === null || age < keptMs)) return held.set;
    const reading = this.#read(source, held);
    if (held.set && age < keptMs + graceMs) {
      if (reading && held.failure === undefined) await patiently(reading, patienceMs);
    } else await reading;
    if (held.set && this.clock.now() - held.readAt < keptMs + graceMs) return held.set;
    throw new ServiceError('unauthorized', {
      message: `The key set of the platform's identity cannot be read: ${held.failure ?? 'its host was asked just now'}. Its host is asked again every 10 s.`,
    });
  }

  /**
   * The keys, read again because none fits a token: a key that is used as soon as it is published. Where
   * they were read just now, this waits, so that no good token is refused.
   */
  async renewed(source: KeySource): Promise<KeySet> {
    const held = this.#of(source);
    if (source.jwksUrl !== null && held.waiting < maxWaiting) {
      held.waiting += 1;
      await (this.#read(source, held) ?? this.#readLater(source, held));
      held.waiting -= 1;
    }
    return this.current(source);
  }

  #readLater(source: KeySource, held: Held): Promise<void> {
    const ms = held.attemptedAt + pauseMs - this.clock.now();
    held.next ??= this.clock.wait(ms).then(() => {
      delete held.next;
      return this.#read(source, held);
    });
    return held.next;
  }

  #of(source: KeySource): Held {
    const key = keyOf(source);
    const unknown = { readAt: -Infinity, attemptedAt: -Infinity, waiting: 0 };
    const held = this.#held.get(key) ?? unknown;
    if (!this.#held.has(key)) this.#held.set(key, held);
    return held;
  }

  /** The reading that goes on, or one that begins if the last was long enough ago. */
  #read(source: KeySource, held: Held): Promise<void> | undefined {
    if (held.reading) return held.reading;
    const now = this.clock.now();
    if (now - held.attemptedAt < pauseMs) return undefined;
    held.attemptedAt = now;
    held.reading = runOutside(() => this.#renew(source, held, now)).finally(() => {
      delete held.reading;
    });
    return held.reading;
  }

  async #renew(source: KeySource, held: Held, now: number): Promise<void> {
    const { jwksUrl: url, jwks } = source;
    try {
      const keys = url === null ? (jwks?.keys as JWK[]) : await readKeySet(url, this.outgoing);
      const isNew = JSON.stringify(keys) !== JSON.stringify(held.set?.keys);
      if (isNew) held.set = await keySetOf(keys);
      held.readAt = now;
      delete held.failure;
      this.#held.set(keyOf(source), held); // its size may be another
    } catch (error) {
      held.failure = (error as Error).message;
    }
  }
}

/** What is read from a URL outlasts a change of the rest. */
const keyOf = ({ platformId, id, jwksUrl }: KeySource): string =>
  jwksUrl === null ? id : `${platformId} ${jwksUrl}`;
