import { hash } from 'node:crypto';
import { ServiceError } from '../../base/errors/catalogue.js';
import { SharedRun } from '../../base/concurrency.js';
import { secondMs } from '../../base/units.js';
import type { TokenState } from './auth.sql.js';
import type { VerifiedToken } from './token-codec.js';

/** About 1 KB each. */
const maxRemembered = 1_000;

interface Remembered extends VerifiedToken {
  readonly state: SharedRun<TokenState>;
  /** Final: a revoked token never becomes valid again. */
  revoked: boolean;
}

/**
 * Caches the content of verified tokens by their digests, since checking a signature takes longer
 * than the rest. Whether a token has been revoked, or its holder suspended, is queried each time;
 * concurrent requests with the same token share a query. A token that is known to be revoked costs its
 * former holder no further query.
 */
export class VerifiedTokens {
  readonly #remembered = new Map<string, Remembered>();

  constructor(
    private readonly verify: (token: string) => Promise<VerifiedToken>,
    private readonly stateOf: (token: VerifiedToken) => Promise<TokenState>,
  ) {}

  /** @throws ServiceError as `Tokens.verifyAccess`. */
  async check(token: string): Promise<VerifiedToken> {
    const digest = hash('sha256', token);
    const known = this.#remembered.get(digest) ?? (await this.#verified(digest, token));
    if (known.expiresAt <= Math.floor(Date.now() / secondMs)) {
      this.#remembered.delete(digest);
      throw new ServiceError('token_expired');
    }
    const state = known.revoked ? 'token_revoked' : await known.state.run();
    if (state === 'valid') return known;
    if (state === 'token_revoked') known.revoked = true;
    throw new ServiceError(state);
  }

  async #verified(digest: string, token: string): Promise<Remembered> {
    const verified = await this.verify(token);
    // Concurrent first requests with a token share what one of them remembers.
    return this.#remembered.get(digest) ?? this.#remember(digest, verified);
  }

  #remember(digest: string, token: VerifiedToken): Remembered {
    if (this.#remembered.size >= maxRemembered) {
      const [oldest] = this.#remembered.keys();
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    const remembered = {
      ...token,
      state: new SharedRun(() => this.stateOf(token)),
      revoked: false,
    };
    this.#remembered.set(digest, remembered);
    return remembered;
  }
}
