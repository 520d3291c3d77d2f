import type { Queryable } from './sql.js';

/** Serializes concurrent statements on one connection: each awaits the previous one. */
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
