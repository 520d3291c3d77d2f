import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../../base/errors/catalogue.js';
import { hourMs, minuteMs, secondMs } from '../../base/units.js';
import { runAsCaller } from '../../database/fairness.js';
import { type Queryable, rows, value } from '../../database/sql.js';
import { noteAct } from '../audit/acts.js';
import type { MasterKey } from './secrets.js';
import type { Tokens } from './tokens.js';

/** Stores a code, and deletes expired ones. @param lifetime in seconds. */
const insertCode = (tx: Queryable, hash: Buffer, lifetime: number): Promise<unknown> =>
  rows(
    tx,
    `WITH stale AS (DELETE FROM console_codes WHERE expires_at < now())
     INSERT INTO console_codes (hash, expires_at) VALUES ($1, now() + $2 * interval '1 second')`,
    [hash, lifetime],
  );

/**
 * @returns whether the code was still valid; of concurrent callers, only one gets true. A code from
 * before keys were revoked ends with them, as the tokens do. @param lifetime in seconds.
 */
const spendCode = async (tx: Queryable, hash: Buffer, lifetime: number): Promise<boolean> =>
  (await value<boolean>(
    tx,
    `DELETE FROM console_codes WHERE hash = $1
     RETURNING expires_at > now() AND expires_at - $2 * interval '1 second'
       > coalesce((SELECT max(revoked_at) FROM signing_keys), '-infinity') AS good`,
    [hash, lifetime],
  )) === true;

/** How long a link works, in seconds. */
export const linkLifetime = (10 * minuteMs) / secondMs;

/** How long a session that a link starts lasts, in seconds: a working day. */
const sessionLifetime = (8 * hourMs) / secondMs;

const randomPart = 32;
const proofPart = 16;
const form = /^[\w-]{64}$/;

/** Without the master key, nobody can guess even a code that is not valid. */
const proofOf = (random: Buffer, master: MasterKey): Buffer =>
  createHmac('sha256', master.consoleCodeKey()).update(random).digest().subarray(0, proofPart);

/** Whether a code was made with this master key, which costs a guess nothing that others need. */
function isOurs(code: string, master: MasterKey): boolean {
  if (!form.test(code)) return false;
  const bytes = Buffer.from(code, 'base64url');
  const proof = proofOf(bytes.subarray(0, randomPart), master);
  return timingSafeEqual(bytes.subarray(randomPart), proof);
}

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

interface ConsoleSession {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Makes codes of links, and exchanges them for tokens that last a working day. */
export class ConsoleSignIn {
  constructor(
    private readonly db: DataSource,
    private readonly tokens: Tokens,
    private readonly master: MasterKey,
  ) {}

  /** Makes the code of a link that signs an administrator in to the console, once. */
  makeCode(): Promise<string> {
    const random = randomBytes(randomPart);
    const code = Buffer.concat([random, proofOf(random, this.master)]).toString('base64url');
    return this.db.transaction(async (tx) => {
      await insertCode(tx, hashOf(code), linkLifetime);
      await noteAct(tx, { act: 'console.link' });
      return code;
    });
  }

  /** @throws ServiceError `unauthorized`. */
  async exchange(code: string): Promise<ConsoleSession> {
    if (!isOurs(code, this.master)) throw wrongCode();
    const hash = hashOf(code);
    // Whoever repeats a code that is spent takes connections of no other code.
    return runAsCaller(`console code ${hash.toString('hex')}`, () => this.#spend(hash));
  }

  async #spend(hash: Buffer): Promise<ConsoleSession> {
    const lifetime = Math.min(sessionLifetime, this.tokens.lifetime('admin'));
    return this.db.transaction(async (tx) => {
      if (!(await spendCode(tx, hash, linkLifetime))) throw wrongCode();
      const { token, id } = await this.tokens.issueAccess({}, lifetime, tx);
      await noteAct(tx, { act: 'console.session', details: { token: id } });
      return { access_token: token, expires_in: lifetime };
    });
  }
}

const wrongCode = (): ServiceError =>
  new ServiceError('unauthorized', {
    message: 'This link has been used, or its ten minutes are over.',
  });
