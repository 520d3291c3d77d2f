import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import { runWithin } from '../../base/telemetry/context.js';
import { hourMs, minuteMs, secondMs } from '../../base/units.js';
import { runAsCaller } from '../../database/fairness.js';
import { type Queryable, row, rows, value } from '../../database/sql.js';
import { noteAct, operatorName } from '../audit/acts.js';
import { scopeOf, type Holder } from './claims.js';
import { assertOwner } from './narrow-tokens.js';
import type { MasterKey } from './secrets.js';
import { deviceOf, type Sessions } from './sessions.js';
import type { Tokens } from './tokens.js';

/** Whom a code signs in: a person at the provider, or an operator. */
export interface Person {
  readonly name: string;
  /** Those that they may choose from; null for an administrator. */
  readonly platformIds: readonly string[] | null;
}

/**
 * Stores a code, and deletes expired ones. @param lifetime in seconds.
 * @returns when it expires; undefined if there is no such user, or none of the person's platforms.
 */
async function insertCode(
  tx: Queryable,
  hash: Buffer,
  bearer: Person | { readonly userId: string },
  lifetime: number,
): Promise<Date | undefined> {
  const whose =
    'userId' in bearer ? ['', null, bearer.userId] : [bearer.name, bearer.platformIds, null];
  return value<Date>(
    tx,
    `WITH stale AS (DELETE FROM console_codes WHERE expires_at < now()),
     theirs AS (
       SELECT array_agg(p.id) AS ids FROM platforms p
       WHERE p.id = ANY ($4::uuid[]) OR p.id = (SELECT u.platform_id FROM users u WHERE u.id = $5))
     INSERT INTO console_codes (hash, expires_at, name, platform_ids, user_id)
     SELECT $1, now() + $2 * interval '1 second', $3, ids, $5::uuid FROM theirs
     WHERE ids IS NOT NULL OR $4::uuid[] IS NULL AND $5::uuid IS NULL
     RETURNING expires_at`,
    [hash, lifetime, ...whose],
  );
}

/**
 * A code is still valid. One from before keys were revoked ends with them, as the tokens do.
 * $1 is its hash, $2 the lifetime in seconds.
 */
const isGood = `hash = $1 AND expires_at > now() AND expires_at - $2 * interval '1 second'
  > coalesce((SELECT max(revoked_at) FROM signing_keys), '-infinity')`;

/** The platform that a code signs in to: of those that it may, the one that is asked for, or the only one. */
const wanted = `(SELECT id FROM unnest(platform_ids) AS id
  WHERE id = $3 OR $3::uuid IS NULL AND cardinality(platform_ids) = 1)`;

interface SpentCode {
  readonly name: string;
  /** Null for an administrator. */
  readonly platformId: string | null;
  readonly userId: string | null;
}

/** Of concurrent callers, only one gets a row; none does that has yet to choose a platform. */
const spendCode = (tx: Queryable, hash: Buffer, lifetime: number, platformId: string | undefined) =>
  row<SpentCode>(
    tx,
    `DELETE FROM console_codes WHERE ${isGood} AND (platform_ids IS NULL OR ${wanted} IS NOT NULL)
     RETURNING name, ${wanted} AS "platformId", user_id AS "userId"`,
    [hash, lifetime, platformId ?? null],
  );

interface Choice {
  readonly id: string;
  readonly name: string;
}

/** The platforms that a code leaves to choose from, by name. */
const selectChoices = (db: Queryable, hash: Buffer, lifetime: number): Promise<Choice[]> =>
  rows(
    db,
    `SELECT p.id, p.name FROM console_codes c JOIN platforms p ON p.id = ANY (c.platform_ids)
     WHERE ${isGood} ORDER BY p.name`,
    [hash, lifetime],
  );

/** How long a link works, in seconds. */
export const linkLifetime = (10 * minuteMs) / secondMs;

/** How long a session of the console lasts, in seconds: a working day. */
const sessionLifetime = (12 * hourMs) / secondMs;

const randomPart = 32;
const proofPart = 16;
const form = /^[\w-]{64}$/;

/** Without the master key, nobody can guess even a code that is not valid. */
const proofOf = (random: Buffer, master: MasterKey): Buffer =>
  createHmac('sha256', master.signInCodeKey()).update(random).digest().subarray(0, proofPart);

/** Whether a code was made with this master key, which costs a guess nothing that others need. */
function isOurs(code: string, master: MasterKey): boolean {
  if (!form.test(code)) return false;
  const bytes = Buffer.from(code, 'base64url');
  const proof = proofOf(bytes.subarray(0, randomPart), master);
  return timingSafeEqual(bytes.subarray(randomPart), proof);
}

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

/** A session, or the platforms of which one has to be chosen. */
interface ConsoleSession {
  readonly access_token?: string;
  /** Of a user who stays signed in. */
  readonly refresh_token?: string;
  /** Seconds. */
  readonly expires_in?: number;
  readonly platforms?: readonly Choice[];
}

interface Wish {
  readonly platformId?: string | undefined;
  /** `User-Agent`. */
  readonly agent?: string | undefined;
  /** Whether a user stays signed in on the device. */
  readonly stays?: boolean;
}

/** Makes one-time codes, and exchanges them for sessions that last a working day. */
export class ConsoleSignIn {
  constructor(
    private readonly db: DataSource,
    private readonly tokens: Tokens,
    private readonly sessions: Sessions,
    private readonly master: MasterKey,
  ) {}

  /** Makes the code of a link that signs an administrator in to the console, once. */
  makeCode(): Promise<string> {
    return this.db.transaction(async (tx) => {
      const code = this.#newCode();
      const person = { name: operatorName(), platformIds: null };
      await insertCode(tx, hashOf(code), person, linkLifetime);
      await noteAct(tx, { act: 'console.link' });
      return code;
    });
  }

  /** A code for somebody whose name a provider vouches for; undefined if they have no platform. */
  async makeCodeFor(person: Person): Promise<string | undefined> {
    const code = this.#newCode();
    const expiresAt = await insertCode(this.db, hashOf(code), person, linkLifetime);
    return expiresAt && code;
  }

  /**
   * Makes the code of a link that signs a user in to the console, once. @param platformId that the user must
   * belong to; any without. @throws ServiceError `user_not_found`.
   */
  makeUserCode(
    platformId: string | undefined,
    userId: string,
  ): Promise<{ readonly code: string; readonly expiresAt: Date }> {
    return this.db.transaction(async (tx) => {
      await assertOwner(tx, { platformId, userId }, 'FOR KEY SHARE');
      const code = this.#newCode();
      const expiresAt = await insertCode(tx, hashOf(code), { userId }, linkLifetime);
      if (!expiresAt) throw new ServiceError('user_not_found');
      await noteAct(tx, { act: 'user.sign-in', platformId, userId });
      return { code, expiresAt };
    });
  }

  /** @throws ServiceError `unauthorized`; `platform_not_found` for one that the code is not for. */
  async exchange(code: string, wish: Wish): Promise<ConsoleSession> {
    if (!isOurs(code, this.master)) throw wrongCode();
    const { platformId } = wish;
    if (platformId !== undefined && !isUuid(platformId))
      throw new ServiceError('platform_not_found');
    const hash = hashOf(code);
    // Whoever repeats a code that is spent takes connections of no other code.
    return runAsCaller(`console code ${hash.toString('hex')}`, () => this.#spend(hash, wish));
  }

  async #spend(hash: Buffer, { platformId: asked, agent, stays }: Wish): Promise<ConsoleSession> {
    return this.db.transaction(async (tx) => {
      const spent = await spendCode(tx, hash, linkLifetime, asked);
      if (!spent) {
        const platforms = await selectChoices(tx, hash, linkLifetime);
        if (platforms.length === 0) throw wrongCode();
        if (asked !== undefined) throw new ServiceError('platform_not_found');
        return { platforms };
      }
      const { name, platformId, userId } = spent;
      const holder: Holder = { ...(platformId && { platformId }), ...(userId && { userId }) };
      const scope = scopeOf(holder);
      const device = deviceOf(agent);
      const isStaying = stays === true && userId !== null;
      const longest = isStaying ? Infinity : sessionLifetime;
      const lifetime = Math.min(longest, this.tokens.lifetime(scope));
      const session = { name: name || device, device, lifetime, stays: isStaying };
      const { id, ...issued } = await this.sessions.begin(tx, holder, session);
      await runWithin({ bearer: { scope, token: id } }, () =>
        noteAct(tx, { act: 'console.session', ...holder, details: { device } }),
      );
      return { ...issued, expires_in: lifetime };
    });
  }

  #newCode(): string {
    const random = randomBytes(randomPart);
    return Buffer.concat([random, proofOf(random, this.master)]).toString('base64url');
  }
}

const wrongCode = (): ServiceError =>
  new ServiceError('unauthorized', {
    message: 'This link has been used, or its ten minutes are over.',
  });
