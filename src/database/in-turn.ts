import type { Queryable } from './sql.js';

/** One connection, for those who ask for several things at once: each statement awaits the one before. */
export function inTurn(db: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query(sql, parameters) {
      const answer = last.then(() => db.query(sql, parameters));
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}
