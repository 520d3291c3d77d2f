import type { Claims } from '../../../http/auth/claims.js';
import { ServiceError } from '../../../base/errors/catalogue.js';
import type { SignedUrls } from '../../../store/signed-url.js';
import type { MapOwner } from './area.js';

type Signer = Pick<SignedUrls, 'signAfter' | 'verify'>;

/** The signed text, which cannot be the key of an object. */
const subject = ({ kind, id }: MapOwner): string => `map/${kind}/${id}`;

/** For a link that was signed before its owner was revoked. */
export const endedLink = 'The tile URL is no longer valid; fetch the TileJSON again for a new one.';

/** Signatures that give access to all tiles of one map until they expire. */
export class MapLinks {
  constructor(private readonly signer: Signer) {}

  /**
   * The query with a signature, the same within a time window. @param ended when links to this map
   * last ended, in seconds since 1970.
   */
  sign(owner: MapOwner, ended: number): string {
    const url = this.signer.signAfter(ended, subject(owner));
    return url.slice(url.indexOf('?') + 1);
  }

  /** The claims of a signed link to a tile. @throws ServiceError `forbidden`. */
  claims(path: Readonly<Record<string, string>>, query: Readonly<Record<string, unknown>>): Claims {
    const { user_id: user, platform_id: platform = '' } = path;
    const owner: MapOwner =
      user === undefined
        ? { kind: 'platforms', id: platform.toLowerCase() }
        : { kind: 'users', id: user.toLowerCase() };
    const verdict = this.signer.verify(subject(owner), query);
    if (verdict.state !== 'ok') {
      const message = {
        tampered: 'The tile URL is invalid.',
        expired: 'The tile URL has expired; fetch the TileJSON again for a new one.',
        ended: endedLink,
      };
      throw new ServiceError('forbidden', { message: message[verdict.state] });
    }
    // All links to one map have a share of the service that is not their owner's.
    const token = { typ: 'access', jti: subject(owner), linkedAt: verdict.signedAt } as const;
    return owner.kind === 'users'
      ? { ...token, scope: 'user', userId: owner.id }
      : { ...token, scope: 'platform', platformId: owner.id };
  }
}
