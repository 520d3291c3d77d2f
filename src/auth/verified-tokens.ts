import { hash } from 'node:crypto';
import { ServiceError } from '../errors/catalogue.js';
import { SharedRun } from '../shared-run.js';
import { secondMs } from '../units.js';
import type { TokenState } from './queries.js';
import type { VerifiedToken } from './token-codec.js';

/** About 1 KB each. */
const maxRemembered = 1_000;

interface Remembered extends VerifiedToken {
  readonly state: SharedRun<TokenState>;
}

/**
 * Caches the content of verified tokens by their digests, since checking a signature takes longer
 * than the rest. Whether a token has been revoked, or its holder suspended, is queried each time;
 * concurrent requests with the same token share a query.
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
    const known = this.#remembered.get(digest) ?? this.#remember(digest, await this.verify(token));
    if (known.expiresAt <= Math.floor(Date.now() / secondMs)) {
      this.#remembered.delete(digest);
      throw new ServiceError('token_expired');
    }
    const state = await known.state.run();
    if (state === 'valid') return known;
    if (state === 'token_revoked') this.#remembered.delete(digest);
    throw new ServiceError(state);
  }

  #remember(digest: string, token: VerifiedToken): Remembered {
    if (this.#remembered.size >= maxRemembered) {
      const [oldest] = this.#remembered.keys();
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    const remembered = { ...token, state: new SharedRun(() => this.stateOf(token)) };
    this.#remembered.set(digest, remembered);
    return remembered;
  }
}
