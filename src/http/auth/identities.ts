import { v7 as uuidv7 } from 'uuid';
import { invalidField, ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import type { Database } from '../../database/joint-transaction.js';
import { isUniqueViolation, type Queryable } from '../../database/sql.js';
import { noteAct, type ActName } from '../audit/acts.js';
import type { Targets } from '../outgoing.js';
import { allowWords } from './claims.js';
import * as queries from './identities.sql.js';
import type { IdentityRow } from './identities.sql.js';
import type { IdentityRecord, NewIdentity } from './identity-schemas.js';

export {
  forgetFormerUsers,
  noteFormerUser,
  selectKeyUrls,
  wasDeletedSince,
} from './identities.sql.js';

interface IdentityParts {
  readonly db: Database;
  readonly clock: WallClock;
  readonly targets: Targets;
}

/** The identity providers of platforms. */
export class Identities {
  constructor(private readonly parts: IdentityParts) {}

  /** Sets the identity of a platform, in place of the one that it may have. @throws ServiceError `invalid_field`, `issuer_taken`. */
  async set(platformId: string, wanted: NewIdentity): Promise<IdentityRecord> {
    const { jwks_url: jwksUrl = null, jwks = null, issuer, audience } = wanted;
    if ((jwksUrl === null) === (jwks === null)) {
      throw invalidField('jwks_url', 'given, or else jwks');
    }
    if (jwksUrl !== null) this.parts.targets.assertPossible(jwksUrl, 'jwks_url');
    const identity = {
      platformId,
      id: uuidv7(),
      issuer,
      audience,
      jwksUrl,
      jwks,
      userClaim: wanted.user_claim,
      createUsers: wanted.create_users,
      allow: allowWords.user.filter((word) => wanted.allow.includes(word)),
    };
    const put = async (tx: Queryable): Promise<IdentityRow> => {
      const row = await queries.putIdentity(tx, identity);
      await note(tx, 'identity.set', row);
      return row;
    };
    const row = await this.parts.db.transaction(put).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new ServiceError('issuer_taken', { cause: error }) : error;
    });
    return this.#record(row);
  }

  /** @throws ServiceError `identity_not_found`. */
  async get(platformId: string): Promise<IdentityRecord> {
    return this.#record(found(await queries.selectIdentity(this.parts.db, platformId)));
  }

  /** Refuses its tokens from the next request on, on every node. @throws ServiceError `identity_not_found`. */
  remove(platformId: string): Promise<IdentityRecord> {
    return this.parts.db.transaction(async (tx) => {
      const row = found(await queries.deleteIdentity(tx, platformId));
      await note(tx, 'identity.remove', row);
      return this.#record(row);
    });
  }

  readonly #record = (row: IdentityRow): IdentityRecord => ({
    issuer: row.issuer,
    audience: row.audience,
    jwks_url: row.jwksUrl,
    jwks: row.jwks as IdentityRecord['jwks'],
    user_claim: row.userClaim,
    create_users: row.createUsers,
    allow: row.allow,
    created_at: this.parts.clock.format(row.createdAt),
    updated_at: this.parts.clock.format(row.updatedAt),
  });
}

function found(row: IdentityRow | undefined): IdentityRow {
  if (!row) throw new ServiceError('identity_not_found');
  return row;
}

const note = (tx: Queryable, act: ActName, row: IdentityRow): Promise<unknown> =>
  noteAct(tx, {
    act,
    platformId: row.platformId,
    details: { issuer: row.issuer, audience: row.audience, allow: row.allow },
  });
