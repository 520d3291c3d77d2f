import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { invalidField, ServiceError } from '../../../base/errors/catalogue.js';
import type { WallClock } from '../../../base/time.js';
import { secondMs } from '../../../base/units.js';
import { column, row, rows, type Queryable } from '../../../database/sql.js';
import type { Database } from '../../../database/joint-transaction.js';
import type { Claims } from '../../../http/auth/claims.js';
import type { Tokens } from '../../../http/auth/tokens.js';
import type { ResolveUrl } from '../../../http/operation.js';
import { timestamp } from '../../../http/record-fields.js';
import type { StreamedResponse } from '../../../http/streamed-response.js';
import type { SignedUrls } from '../../../store/signed-url.js';
import type { Usage } from '../../quota/usage.js';
import { isNarrow } from '../list/conditions.sql.js';
import { selectMatchingIds } from '../list/list.sql.js';
import type { Filter } from '../list/schemas.js';
import { type ArchiveContents, type Archives, maxArchived } from './archive.js';

/** What there is to download. */
export const archive = z
  .object({
    url: z.string().meta({ description: 'needs no header; until `expires_at`' }),
    count: z.int().meta({ description: 'images in the ZIP, if it were downloaded now' }),
    bytes: z.int().meta({ description: 'its length, if it were downloaded now' }),
    expires_at: timestamp,
  })
  .meta({ id: 'Archive' });
export type Archive = z.output<typeof archive>;

/** Addresses of a user that are open at a time. */
const maxOpen = 20;

/** The images of an archive: those of a list, or those with these ids. */
export interface WantedImages {
  readonly userId: string;
  readonly filter: Filter;
  readonly ids?: readonly string[] | undefined;
}

interface AddressRow {
  readonly filter: Filter;
  readonly ids: readonly string[] | null;
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

/** Signatures that give access to an archive until they expire. */
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
    const id = String(path.archive_id).toLowerCase();
    const verdict = this.signer.verify(`archives/${id}`, query);
    if (verdict.state !== 'ok') throw ended();
    const { signedAt: linkedAt } = verdict;
    const userId = String(path.user_id).toLowerCase();
    return { scope: 'user', typ: 'access', jti: id, userId, linkedAt };
  }
}

interface AddressParts {
  readonly db: Database;
  readonly archives: Archives;
  readonly urls: ArchiveUrls;
  readonly tokens: Pick<Tokens, 'ended'>;
  readonly usage: Pick<Usage, 'lock'>;
  readonly clock: WallClock;
}

/** Addresses of archives, which end with the token that they were made with. */
export class ArchiveAddresses {
  constructor(private readonly parts: AddressParts) {}

  /** @throws ServiceError `image_not_found`, `image_in_trash`, `too_many_images`, `too_many_archives`. */
  async make(wanted: WantedImages, token: Claims, resolveUrl: ResolveUrl): Promise<Archive> {
    const { db, archives, urls, usage, clock } = this.parts;
    const { userId, filter, ids } = wanted;
    if (ids && isNarrow(filter)) throw invalidField('image_ids', 'given without filters');
    const size = await archives.measure(async (tx) => {
      if (ids) await assertThere(tx, wanted);
      return contentsIn(tx, wanted, resolveUrl);
    });
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
      await rows(
        tx,
        `INSERT INTO archives (id, user_id, filter, image_ids, token, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [id, userId, JSON.stringify(filter), ids ?? null, JSON.stringify(token), expires],
      );
    });
    const url = resolveUrl(`/api/v1/users/${userId}/images/archive/${id}?${query}`);
    return { url, ...size, expires_at: clock.format(expires) };
  }

  /** @throws ServiceError `forbidden` if it has ended; as `make` does. */
  async download(userId: string, id: string, resolveUrl: ResolveUrl): Promise<StreamedResponse> {
    const { db, archives, tokens } = this.parts;
    const found = isUuid(id) ? await selectOpen(db, userId, id) : undefined;
    if (!found || (await tokens.ended([found.token])).length > 0) throw ended();
    const wanted = { userId, filter: revived(found.filter), ids: found.ids ?? undefined };
    return archives.of((tx) => contentsIn(tx, wanted, resolveUrl));
  }
}

const selectOpen = (db: Queryable, userId: string, id: string): Promise<AddressRow | undefined> =>
  row(
    db,
    `SELECT filter, image_ids AS ids, token FROM archives
     WHERE id = $1 AND user_id = $2 AND expires_at > now()`,
    [id, userId],
  );

/** Forgets addresses that have expired. */
export const forgetArchives = (db: Queryable): Promise<unknown> =>
  rows(db, 'DELETE FROM archives WHERE expires_at <= now()');

async function contentsIn(
  tx: Queryable,
  { userId, filter, ids }: WantedImages,
  resolveUrl: ResolveUrl,
): Promise<ArchiveContents> {
  const found = ids
    ? await selectThere(tx, userId, ids, filter.trash === true)
    : await selectMatchingIds(tx, userId, filter, maxArchived + 1);
  return {
    ids: found,
    root: filter.folder?.id ?? null,
    records: { include: { memos: true, customs: true }, resolveUrl },
  };
}

/** Those of these ids that are images of the user, in their order. @param trashed whether also in the trash. */
const selectThere = (
  db: Queryable,
  userId: string,
  ids: readonly string[],
  trashed: boolean,
): Promise<string[]> =>
  column(
    db,
    `SELECT i.id FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, position)
     JOIN images i USING (id) WHERE i.user_id = $1 AND ($3 OR i.deleted_at IS NULL)
     ORDER BY wanted.position`,
    [userId, ids, trashed],
  );

/** Offenders that an error names at most. */
const maxOffenders = 100;

async function assertThere(
  db: Queryable,
  { userId, filter, ids = [] }: WantedImages,
): Promise<void> {
  const uuids = ids.filter((id) => isUuid(id));
  const known = new Set(await selectThere(db, userId, uuids, true));
  const fit = filter.trash ? known : new Set(await selectThere(db, userId, uuids, false));
  const offenders = ids.flatMap((image_id) => {
    const id = image_id.toLowerCase();
    if (fit.has(id)) return [];
    return [
      {
        image_id,
        code: known.has(id) ? ('image_in_trash' as const) : ('image_not_found' as const),
      },
    ];
  });
  const [first] = offenders;
  if (!first) return;
  throw new ServiceError(first.code, {
    field: 'image_ids',
    details: { offenders: offenders.slice(0, maxOffenders) },
  });
}
