import type { WallClock } from '../../base/time.js';
import { actions, actors, types } from './schemas.js';
import type { ChangeRecord } from './schemas.js';
import type { ChangeRow } from './changes.sql.js';

/** An entry as represented in the API. */
export function changeRecord(row: ChangeRow, clock: WallClock): ChangeRecord {
  const { type, action, actor } = enumWords(row);
  return {
    seq: row.seq,
    at: clock.format(row.at),
    type,
    id: row.id,
    action,
    ...(row.imageId !== null && { image_id: row.imageId }),
    actor,
  };
}

/** The words for the numbers of a row. */
export const enumWords = ({
  type,
  action,
  actor,
}: Pick<ChangeRow, 'type' | 'action' | 'actor'>) => ({
  type: wordOf(types, type - 1),
  action: wordOf(actions, action),
  actor: wordOf(actors, actor - 1),
});

function wordOf<const Word extends string>(words: readonly Word[], number: number): Word {
  const word = words[number];
  if (word === undefined) throw new RangeError(`an entry has the unknown number ${number}`);
  return word;
}
