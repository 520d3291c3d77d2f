import type { Claims } from '../../auth/claims.js';
import { ServiceError } from '../../errors/catalogue.js';
import type { SignedUrls } from '../../store/signed-url.js';
import type { MapOwner } from './owner.js';

type Signer = Pick<SignedUrls, 'sign' | 'verify'>;

/** What is signed: nothing that any object has as its key. */
const subject = ({ kind, id }: MapOwner): string => `map/${kind}/${id}`;

/** Signatures that read the tiles of one map, whichever they are, until they expire. */
export class MapLinks {
  constructor(private readonly signer: Signer) {}

  /** A query, the same within a window of time. */
  sign(owner: MapOwner): string {
    const url = this.signer.sign(subject(owner));
    return url.slice(url.indexOf('?') + 1);
  }

  /** What a link to a tile is good for. @throws ServiceError `forbidden`. */
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
          ? 'The address of the tiles has expired; the TileJSON has a new one.'
          : 'The address is invalid.';
      throw new ServiceError('forbidden', { message });
    }
    // Counted together, against the limit of requests of one token.
    const token = { typ: 'access', jti: subject(owner) } as const;
    return owner.kind === 'users'
      ? { ...token, scope: 'user', userId: owner.id }
      : { ...token, scope: 'platform', platformId: owner.id };
  }
}
