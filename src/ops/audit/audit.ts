import { NIL, validate as isUuid } from 'uuid';
import { missingField, ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { rows, type Queryable } from '../../database/sql.js';
import { readActs, type ActPosition } from '../../http/audit/acts.js';
import type { Examined } from '../../http/audit/examined.js';
import { readCursor, writeCursor, type FeedPosition } from '../../feed/changes/entries.js';
import { readHistory, type HistoryEntry, type HistoryScope } from '../../feed/changes/history.js';
import { eventTypes } from '../../feed/webhooks/schemas.js';
import type { TokenUsed } from '../../http/record-fields.js';
import type { AuditPage, AuditQuery } from './schemas.js';

// Two sources, each of which is read from its newest entry on: acts of administrators and platforms,
// and changes of users' records.

/** Something that somebody did: an act of an administrator, or a change of a user's records. */
export interface AuditEntry {
  readonly at: Date;
  readonly act: string;
  /** operator, admin, platform, user or system. */
  readonly actor: string;
  /** User of the operating system, from the terminal. */
  readonly operator: string | null;
  /** `jti` of the token, or id of its session. */
  readonly tokenId: string | null;
  /** Of a narrow token or a session. */
  readonly tokenName: string | null;
  readonly platformId: string | null;
  readonly userId: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}

/** Where a page begins: after this entry of each source; null: there are no more of them. */
interface Places {
  readonly acts?: ActPosition | null;
  readonly history?: FeedPosition | null;
}

/** The newest acts and changes, newest first. */
export async function readAudit(
  db: Queryable,
  { limit, ...scope }: HistoryScope & { readonly limit: number },
): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let places: Places | undefined = {}; places && found.length < limit;) {
    const page = await readPage(db, scope, places, limit - found.length);
    found.push(...page.entries);
    places = page.next;
  }
  return found;
}

/** Some entries, and where the next page begins, unless there are no more. */
async function readPage(db: Queryable, scope: HistoryScope, places: Places, limit: number) {
  const [acts, history] = await Promise.all([
    isIn(places.acts) && !isChange(scope.act)
      ? readActs(db, scope, { after: places.acts, limit })
      : nothing,
    isIn(places.history) && (scope.act === undefined || isChange(scope.act))
      ? readHistory(db, scope, { after: places.history, limit })
      : nothing,
  ]);
  const taken = { acts: 0, history: 0 };
  const entries: AuditEntry[] = [];
  while (entries.length < limit) {
    const act = acts.found[taken.acts];
    const change = history.found[taken.history];
    // A source that has not been read to its end may still have what is older than its last entry.
    if (timeOf(act ?? acts.end) >= timeOf(change ?? history.end)) {
      if (!act) break;
      taken.acts += 1;
      entries.push(act);
    } else {
      if (!change) break;
      taken.history += 1;
      entries.push(changeEntry(change));
    }
  }
  const next = {
    acts: placeAfter(acts, taken.acts, places.acts),
    history: placeAfter(history, taken.history, places.history),
  };
  return { entries, next: next.acts === null && next.history === null ? undefined : next };
}

const nothing: Examined<never> = { found: [], end: undefined };
const isIn = <Place>(place: Place | null | undefined): place is Place | undefined => place !== null;
const isChange = (act: string | undefined): boolean =>
  act !== undefined && eventTypes.includes(act);
const timeOf = (row: { readonly at: Date } | undefined): number => row?.at.getTime() ?? -Infinity;

const changeEntry = ({ seq, id, imageId, ...change }: HistoryEntry): AuditEntry => ({
  ...change,
  operator: null,
  details: { seq, id, ...(imageId !== null && { image_id: imageId }) },
});

function placeAfter<Row extends Place, Place>(
  { found, end }: Examined<Row>,
  taken: number,
  before: Place | null | undefined,
): Place | null | undefined {
  if (taken === found.length) return end ?? null;
  return found[taken - 1] ?? before;
}

/** Who reads it, and so what is shown: a platform reads what concerns it. */
type Reader = { readonly platformId: string } | 'admin';

/** The audit, in pages. */
export class Audit {
  constructor(
    private readonly db: Queryable,
    private readonly clock: WallClock,
  ) {}

  /**
   * @throws ServiceError `invalid_cursor`; `missing_field` if changes of all platforms are asked for,
   *   which would be too many.
   */
  async page(reader: Reader, query: AuditQuery): Promise<AuditPage> {
    const { platform_id, user_id: userId, actor, act, limit, since, until } = query;
    const platformId = reader === 'admin' ? platform_id : reader.platformId;
    const places = placesIn(query.before);
    const content = query.content || (isChange(act) && !act?.startsWith('user.'));
    if (platformId === undefined && userId === undefined) {
      if (content || isChange(act)) throw missingField('platform_id', 'platform_id or user_id');
      places.history = null;
    }
    const ids = [platformId, userId].filter((id) => id !== undefined);
    if (!ids.every((id) => isUuid(id))) return { entries: [], last: none, more: false };
    const actors = actor === undefined ? undefined : actorsFor(reader, actor);
    const scope = {
      platformId,
      userId,
      content,
      act,
      actors,
      since: since?.from,
      until: until?.to,
    };
    const { entries, next } = await readPage(this.db, scope, places, limit);
    const seen = reader === 'admin' ? entries : entries.map(seenByPlatform);
    return {
      entries: await this.#records(seen),
      last: next
        ? `${writePlace(next.acts, actCursor)}.${writePlace(next.history, (p) => p)}`
        : none,
      more: next !== undefined,
    };
  }

  /** Entries with the names of whom they concern, as far as they still exist. */
  async #records(entries: readonly AuditEntry[]): Promise<AuditPage['entries']> {
    const [platforms, users] = await Promise.all([
      namesOf(
        this.db,
        'platforms',
        'name',
        entries.map(({ platformId }) => platformId),
      ),
      namesOf(
        this.db,
        'users',
        'platform_user_id',
        entries.map(({ userId }) => userId),
      ),
    ]);
    return entries.map((entry) => ({
      at: this.clock.format(entry.at),
      act: entry.act,
      actor: entry.actor,
      operator: entry.operator,
      token_id: entry.tokenId,
      token: tokenUsedIn(entry),
      platform_id: entry.platformId,
      platform: platforms.get(entry.platformId) ?? null,
      user_id: entry.userId,
      platform_user_id: users.get(entry.userId) ?? null,
      details: entry.details,
    }));
  }
}

/** The narrow token or session with which something was done. */
const tokenUsedIn = ({ tokenId: id, tokenName: name }: AuditEntry): TokenUsed | null =>
  id === null || name === null ? null : { id, name };

/** To a platform, every administrator is the same. */
const actorsFor = (reader: Reader, actor: string): string[] =>
  reader !== 'admin' && actor === 'admin' ? ['admin', 'operator'] : [actor];

/** Who administers the installation, and with which token, is no business of its platforms. */
const seenByPlatform = (entry: AuditEntry): AuditEntry =>
  ['operator', 'admin'].includes(entry.actor)
    ? { ...entry, actor: 'admin', operator: null, tokenId: null, tokenName: null }
    : entry;

async function namesOf(
  db: Queryable,
  table: 'platforms' | 'users',
  name: string,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const found = await rows<{ id: string; name: string }>(
    db,
    `SELECT id, ${name} AS name FROM ${table} WHERE id = ANY ($1::uuid[])`,
    [wanted],
  );
  return new Map(found.map((row) => [row.id, row.name]));
}

/** Of a source that has no more entries; and one that has not been read yet. */
const ended = '-';
const unread = '';
const none = `${ended}.${ended}`;

const actCursor = ({ micros, id }: ActPosition): FeedPosition => ({
  position: micros,
  userId: NIL,
  seq: id,
});

function writePlace<Place>(
  place: Place | null | undefined,
  position: (place: Place) => FeedPosition,
): string {
  if (place === undefined) return unread;
  return place === null ? ended : writeCursor(position(place));
}

/** @throws ServiceError `invalid_cursor`. */
function placesIn(cursor = '.'): { acts?: Places['acts']; history?: Places['history'] } {
  const [acts, history, ...others] = cursor.split('.').map(readPlace);
  if (acts === undefined || history === undefined || others.length > 0) throw noCursor();
  return {
    acts: acts.place && { micros: acts.place.position, id: acts.place.seq },
    history: history.place,
  };
}

function readPlace(text: string): { readonly place: FeedPosition | null | undefined } {
  if (text === unread) return { place: undefined };
  if (text === ended) return { place: null };
  const place = readCursor(text);
  if (!place) throw noCursor();
  return { place };
}

const noCursor = (): ServiceError =>
  new ServiceError('invalid_cursor', {
    field: 'before',
    message: 'before must be `last` of a page of the audit.',
  });
