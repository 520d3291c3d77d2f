import type { Claims } from '../../auth/claims.js';
import { ServiceError } from '../../errors/catalogue.js';
import type { SignedUrls } from '../../store/signed-url.js';
import type { MapOwner } from './owner.js';

type Signer = Pick<SignedUrls, 'sign' | 'verify'>;

/** The signed text, which cannot be the key of an object. */
const subject = ({ kind, id }: MapOwner): string => `map/${kind}/${id}`;

/** Signatures that give access to all tiles of one map until they expire. */
export class MapLinks {
  constructor(private readonly signer: Signer) {}

  /** The query with a signature, the same within a time window. */
  sign(owner: MapOwner): string {
    const url = this.signer.sign(subject(owner));
    return url.slice(url.indexOf('?') + 1);
  }

  /** The claims of a signed link to a tile. @throws ServiceError `forbidden`. */
  claims(path: Readonly<Record<string, string>>, query: Readonly<Record<string, unknown>>): Claims {
    const { user_id: user, platform_id: platform = '' } = path;
    const owner: MapOwner =
      user === undefined
        ? { kind: 'platforms', id: platform.toLowerCase() }
        : { kind: 'users', id: user.toLowerCase() };
    const { state } = this.signer.verify(subject(owner), query);
    if (state !== 'ok') {
      const message =
        state === 'expired'
          ? 'The tile URL has expired; fetch the TileJSON again for a new one.'
          : 'The tile URL is invalid.';
      throw new ServiceError('forbidden', { message });
    }
    // All links to one map share the rate limit of a single token.
    const token = { typ: 'access', jti: subject(owner) } as const;
    return owner.kind === 'users'
      ? { ...token, scope: 'user', userId: owner.id }
      : { ...token, scope: 'platform', platformId: owner.id };
  }
}
