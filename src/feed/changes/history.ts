import type { Queryable } from '../../database/sql.js';
import { selectHistory } from './history.sql.js';
import type { HistoryScope } from './history.sql.js';
import { enumWords } from './record.js';

export type { HistoryScope };

/** An entry of the change feed for the audit: who changed what, and with which token. */
export interface HistoryEntry {
  readonly at: Date;
  /** Such as `image.created`. */
  readonly act: string;
  readonly actor: string;
  readonly tokenId: string | null;
  readonly platformId: string;
  readonly userId: string;
  readonly seq: number;
  readonly id: string;
  readonly imageId: string | null;
}

/** The newest kept entries, newest first. */
export async function readHistory(db: Queryable, scope: HistoryScope): Promise<HistoryEntry[]> {
  return (await selectHistory(db, scope)).map((row) => {
    const { type, action, actor } = enumWords(row);
    return { ...row, act: `${type}.${action}`, actor };
  });
}
