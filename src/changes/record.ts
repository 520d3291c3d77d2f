import type { WallClock } from '../time.js';
import { actions, actors, types } from './schemas.js';
import type { ChangeRecord } from './schemas.js';
import type { ChangeRow } from './queries.js';

/** An entry as represented in the API. */
export const changeRecord = (row: ChangeRow, clock: WallClock): ChangeRecord => ({
  seq: row.seq,
  at: clock.format(row.at),
  type: wordOf(types, row.type - 1),
  id: row.id,
  action: wordOf(actions, row.action),
  ...(row.imageId !== null && { image_id: row.imageId }),
  actor: wordOf(actors, row.actor - 1),
});

function wordOf<const Word extends string>(words: readonly Word[], number: number): Word {
  const word = words[number];
  if (word === undefined) throw new RangeError(`an entry says ${number}, which means nothing`);
  return word;
}
