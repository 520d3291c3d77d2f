import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../../base/errors/catalogue.js';
import type { WallClock } from '../../../base/time.js';
import { secondMs } from '../../../base/units.js';
import { column, row, rows, type Queryable } from '../../../database/sql.js';
import type { Database } from '../../../database/joint-transaction.js';
import type { Claims } from '../../../http/auth/claims.js';
import type { Tokens } from '../../../http/auth/tokens.js';
import type { SignedUrls } from '../../../store/signed-url.js';
import type { Usage } from '../../quota/usage.js';
import type { LedgerForm } from '../ledger/form.js';
import type { Filter } from '../list/schemas.js';
import type { WantedImages } from './wanted.js';

/** Addresses of a user that are open at a time. */
const maxOpen = 20;

/** What an address opens: the images as a ZIP, or as a ledger. */
interface Opened extends WantedImages {
  readonly ledger?: LedgerForm | undefined;
}

interface AddressRow {
  readonly filter: Filter;
  readonly ids: readonly string[] | null;
  readonly ledger: LedgerForm | null;
  readonly token: Claims;
}

/** Dates become texts in JSON. */
const revived = (filter: Filter): Filter => ({
  ...filter,
  periods: filter.periods.map(({ column, from, to }) => ({
    column,
    ...(from && { from: new Date(from) }),
    ...(to && { to: new Date(to) }),
  })),
});

const ended = (): ServiceError =>
  new ServiceError('forbidden', { message: 'The URL is no longer valid; ask for another one.' });

/** Signatures that give access to an archive or a ledger until they expire. */
export class ArchiveUrls {
  constructor(private readonly signer: Pick<SignedUrls, 'signAfter' | 'verify'>) {}

  /** The query with a signature, and when it expires, in seconds since 1970. */
  sign(id: string): { query: string; expiry: number } {
    const url = this.signer.signAfter(0, `archives/${id}`);
    const query = url.slice(url.indexOf('?') + 1);
    return { query, expiry: Number(new URLSearchParams(query).get('exp')) };
  }

  /** The claims of a signed URL. @throws ServiceError `forbidden`. */
  claims(path: Readonly<Record<string, string>>, query: Readonly<Record<string, unknown>>): Claims {
    const id = String(path.archive_id ?? path.ledger_id).toLowerCase();
    const verdict = this.signer.verify(`archives/${id}`, query);
    if (verdict.state !== 'ok') throw ended();
    const { signedAt: linkedAt } = verdict;
    const userId = String(path.user_id).toLowerCase();
    return { scope: 'user', typ: 'access', jti: id, userId, linkedAt };
  }
}

interface AddressParts {
  readonly db: Database;
  readonly urls: ArchiveUrls;
  readonly tokens: Pick<Tokens, 'ended'>;
  readonly usage: Pick<Usage, 'lock'>;
  readonly clock: WallClock;
}

/** Addresses of archives and ledgers, which end with the token that they were made with. */
export class ArchiveAddresses {
  constructor(private readonly parts: AddressParts) {}

  /** @returns the path, and when it ends. @throws ServiceError `too_many_archives`. */
  async make(
    { userId, filter, ids, ledger }: Opened,
    token: Claims,
  ): Promise<{ path: string; expires_at: string }> {
    const { db, urls, usage, clock } = this.parts;
    const id = uuidv7();
    const { query, expiry } = urls.sign(id);
    const expires = new Date(Math.min(expiry, token.exp ?? expiry) * secondMs);
    await db.transaction(async (tx) => {
      await usage.lock(tx, userId);
      const open = await column(
        tx,
        'SELECT id FROM archives WHERE user_id = $1 AND expires_at > now()',
        [userId],
      );
      if (open.length >= maxOpen) {
        throw new ServiceError('too_many_archives', { details: { max: maxOpen } });
      }
      const [how, by] = [ledger && JSON.stringify(ledger), JSON.stringify(token)];
      await rows(
        tx,
        `INSERT INTO archives (id, user_id, filter, image_ids, ledger, token, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [id, userId, JSON.stringify(filter), ids ?? null, how ?? null, by, expires],
      );
    });
    const kind = ledger ? 'ledger' : 'archive';
    const path = `/api/v1/users/${userId}/images/${kind}/${id}?${query}`;
    return { path, expires_at: clock.format(expires) };
  }

  /** The images of an archive. @throws ServiceError `forbidden` if its address has ended. */
  archive(userId: string, id: string): Promise<WantedImages> {
    return this.#open(userId, id, false);
  }

  /** A ledger, and its images. @throws ServiceError `forbidden` if its address has ended. */
  async ledger(userId: string, id: string): Promise<WantedImages & { readonly form: LedgerForm }> {
    const { ledger: form, ...wanted } = await this.#open(userId, id, true);
    if (!form) throw ended();
    return { ...wanted, form };
  }

  async #open(userId: string, id: string, isLedger: boolean): Promise<Opened> {
    const { db, tokens } = this.parts;
    const found = isUuid(id) ? await selectOpen(db, userId, id, isLedger) : undefined;
    if (!found || (await tokens.ended([found.token])).length > 0) throw ended();
    const { filter, ids, ledger } = found;
    return { userId, filter: revived(filter), ids: ids ?? undefined, ledger: ledger ?? undefined };
  }
}

const selectOpen = (db: Queryable, userId: string, id: string, isLedger: boolean) =>
  row<AddressRow>(
    db,
    `SELECT filter, image_ids AS ids, ledger, token FROM archives
     WHERE id = $1 AND user_id = $2 AND (ledger IS NOT NULL) = $3 AND expires_at > now()`,
    [id, userId, isLedger],
  );

/** Forgets addresses that have expired. */
export const forgetArchives = (db: Queryable): Promise<unknown> =>
  rows(db, 'DELETE FROM archives WHERE expires_at <= now()');
