import { createHash, randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { noteAct } from '../audit/acts.js';
import type { Tokens } from '../auth/tokens.js';
import { ServiceError } from '../errors/catalogue.js';
import { RateCounter } from '../http/rate-counter.js';
import { hourMs, minuteMs, secondMs } from '../units.js';
import { insertCode, spendCode } from './queries.js';

/** How long a link works, in seconds. */
export const linkLifetime = (10 * minuteMs) / secondMs;

/** How long a session that a link starts lasts, in seconds: a working day. */
const sessionLifetime = (8 * hourMs) / secondMs;

/** Well-formed codes that a node looks up per minute: far more than real links need. */
const lookupsPerMinute = 120;

const codeBytes = 32;
const form = /^[\w-]{43}$/;

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

/** Makes the code of a link that signs an administrator in to the console, once. */
export function makeCode(db: DataSource): Promise<string> {
  const code = randomBytes(codeBytes).toString('base64url');
  return db.transaction(async (tx) => {
    await insertCode(tx, hashOf(code), linkLifetime);
    await noteAct(tx, { act: 'console.link' });
    return code;
  });
}

export interface ConsoleSession {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Exchanges codes for tokens that last a working day. */
export class ConsoleSignIn {
  readonly #lookups = new RateCounter(lookupsPerMinute);

  constructor(
    private readonly db: DataSource,
    private readonly tokens: Tokens,
  ) {}

  /** @throws ServiceError `unauthorized`, `rate_limited`. */
  async exchange(code: string): Promise<ConsoleSession> {
    if (!form.test(code)) throw wrongCode();
    const retryAfter = this.#lookups.take('');
    if (retryAfter > 0) throw new ServiceError('rate_limited', { retryAfter });
    const lifetime = Math.min(sessionLifetime, this.tokens.lifetime('admin'));
    return this.db.transaction(async (tx) => {
      if (!(await spendCode(tx, hashOf(code), linkLifetime))) throw wrongCode();
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
