import { hash } from 'node:crypto';
import { ServiceError } from '../errors/catalogue.js';
import { SharedRun } from '../shared-run.js';
import { secondMs } from '../units.js';
import type { VerifiedToken } from './token-codec.js';

/** About 1 KB each. */
const maxRemembered = 1_000;

interface Remembered extends VerifiedToken {
  readonly stands: SharedRun<boolean>;
}

/**
 * Remembers what tokens say, by their digests: a signature need not be checked again, which takes
 * longer than the rest. Whether a token has been revoked is asked of the database each time, by all
 * requests with that token that are waiting to ask.
 */
export class VerifiedTokens {
  readonly #remembered = new Map<string, Remembered>();

  constructor(
    private readonly verify: (token: string) => Promise<VerifiedToken>,
    private readonly stands: (token: VerifiedToken) => Promise<boolean>,
  ) {}

  /** @throws ServiceError `unauthorized`, `token_expired`, `token_revoked`. */
  async check(token: string): Promise<VerifiedToken> {
    const digest = hash('sha256', token);
    const known = this.#remembered.get(digest) ?? this.#remember(digest, await this.verify(token));
    if (known.expiresAt <= Math.floor(Date.now() / secondMs)) {
      this.#remembered.delete(digest);
      throw new ServiceError('token_expired');
    }
    if (await known.stands.run()) return known;
    this.#remembered.delete(digest);
    throw new ServiceError('token_revoked');
  }

  #remember(digest: string, token: VerifiedToken): Remembered {
    if (this.#remembered.size >= maxRemembered) {
      const [oldest] = this.#remembered.keys();
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    const remembered = { ...token, stands: new SharedRun(() => this.stands(token)) };
    this.#remembered.set(digest, remembered);
    return remembered;
  }
}
