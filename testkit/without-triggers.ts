import type { DataSource } from 'typeorm';
import { rows } from '../src/database/sql.js';

/** Changes rows behind the back of the accounting triggers. */
export const withoutTriggers = (
  db: DataSource,
  sql: string,
  parameters: unknown[],
): Promise<void> =>
  db.transaction(async (tx) => {
    for (const turn of ['DISABLE', 'ENABLE']) {
      for (const table of ['images', 'image_versions']) {
        await rows(tx, `ALTER TABLE ${table} ${turn} TRIGGER USER`);
      }
      if (turn === 'DISABLE') await rows(tx, sql, parameters);
    }
  });
