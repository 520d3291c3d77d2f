import assert from 'node:assert/strict';
import { rows, type Queryable } from '../src/database/sql.js';

const types = ['', 'image', 'version', 'folder', 'memo', 'custom', 'upload_set', 'user'];
const actions = ['created', 'updated', 'moved', 'restored', 'trashed', 'deleted'];
const actors = ['', 'user', 'platform', 'admin', 'system'];

interface Row {
  readonly seq: number;
  readonly type: number;
  readonly action: number;
  readonly actor: number;
  readonly id: string;
  readonly image_id: string | null;
}

/** Reads from the database the entries of users' sequences that are new since the last call. */
export class ChangeReader {
  readonly #last = new Map<string, number>();

  constructor(private readonly db: Queryable) {}

  /** Entries such as `image created`, or `image deleted by system` if not by the user. Checks the numbers. */
  async next(userId: string): Promise<string[]> {
    return (await this.entries(userId)).map(({ type, action, actor }) => {
      const what = `${types[type]} ${actions[action]}`;
      return actor === 1 ? what : `${what} by ${actors[actor]}`;
    });
  }

  async entries(userId: string): Promise<Row[]> {
    const last = this.#last.get(userId) ?? 0;
    const found = await rows<Row>(
      this.db,
      'SELECT * FROM changes WHERE user_id = $1 AND seq > $2 ORDER BY seq',
      [userId, last],
    );
    assert.deepEqual(
      found.map(({ seq }) => seq),
      found.map((_, n) => last + 1 + n),
    );
    this.#last.set(userId, last + found.length);
    return found;
  }
}
