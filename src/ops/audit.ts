import { readActs, type ActScope } from '../http/audit/acts.js';
import { readHistory } from '../feed/changes/entries.js';
import type { Queryable } from '../database/sql.js';

/** Something that somebody did: an act of an administrator, or a change of a user's records. */
export interface AuditEntry {
  readonly at: string;
  readonly act: string;
  /** operator, admin, platform, user or system. */
  readonly actor: string;
  /** User of the operating system, from the terminal. */
  readonly operator: string | null;
  /** `jti` of the token. */
  readonly token_id: string | null;
  readonly platform_id: string | null;
  readonly user_id: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}

interface AuditScope extends ActScope {
  /** Whether changes of folders and images are included, besides those of accounts. */
  readonly content: boolean;
}

/** The newest acts and changes, newest first. */
export async function readAudit(db: Queryable, scope: AuditScope): Promise<AuditEntry[]> {
  const { since, limit } = scope;
  const acts = (await readActs(db, scope)).map((act): AuditEntry => ({
    at: act.at.toISOString(),
    act: act.act,
    actor: act.actor,
    operator: act.operator,
    token_id: act.tokenId,
    platform_id: act.platformId,
    user_id: act.userId,
    details: act.details,
  }));
  const changes = (await readHistory(db, scope))
    .filter(({ at }) => since === undefined || at >= since)
    .map((change): AuditEntry => ({
      at: change.at.toISOString(),
      act: change.act,
      actor: change.actor,
      operator: null,
      token_id: change.tokenId,
      platform_id: change.platformId,
      user_id: change.userId,
      details: {
        seq: change.seq,
        id: change.id,
        ...(change.imageId !== null && { image_id: change.imageId }),
      },
    }));
  return [...acts, ...changes]
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, limit);
}
