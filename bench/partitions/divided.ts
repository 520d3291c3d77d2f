import type { DataSource } from 'typeorm';
import { baseline } from '../../migrations/baseline/index.js';
import { column } from '../../src/database/sql.js';
import { makeParts, selectParts } from '../seeding/parts.js';

// The schema once more, with its largest tables divided by hash of user_id: keys and foreign keys carry
// user_id, as PostgreSQL demands of partitioned tables, and Citus of distributed ones.

/** Where the divided tables are, beside the real ones in "public". */
export const schema = 'divided';

const divided = [
  'images',
  'image_versions',
  'image_texts',
  'memos',
  'customs',
  'changes',
  'usage_events',
  'image_totals',
  'folder_totals',
  'image_ranges',
  'taken_ranges',
  'places',
  'map_cells',
];
/** Tables that stay whole, of which rows of the divided ones tell. */
const whole = ['platforms', 'users', 'folders'];

const tableText = new RegExp(
  String.raw`CREATE TABLE (${divided.join('|')}) \(([^]*?)\n  \)( WITH \([^)]*\))?;`,
  'g',
);

/** A table's text, still without partitions. */
function divide(name: string, columns: string): string {
  const keys: string[] = [];
  const keyed = columns
    .replace(
      /(\w+) (\w+)[^,\n]* PRIMARY KEY( REFERENCES images ON DELETE CASCADE)?/,
      (...found) => {
        const [, key, type, reference] = found as string[];
        keys.push(`PRIMARY KEY (${key}, user_id)`);
        if (reference)
          keys.push(
            `FOREIGN KEY (${key}, user_id) REFERENCES images (id, user_id) ON DELETE CASCADE`,
          );
        const counted = type === 'bigint' ? ` DEFAULT nextval('${name}_numbers')` : '';
        return `${key} ${type} NOT NULL${counted}`;
      },
    )
    .replace('UNIQUE (image_id, version)', 'UNIQUE (image_id, version, user_id)')
    .replace('UNIQUE (id, user_id),', ''); // the primary key of images is the same
  return `CREATE SEQUENCE ${name}_numbers;
    CREATE TABLE ${name} (${[keyed, ...keys].join(',')}) PARTITION BY HASH (user_id);`;
}

const dividedText = (text: string): string =>
  text
    .replace(tableText, (_, name: string, columns: string) => divide(name, columns))
    .replaceAll('ON CONFLICT (folder_id)', 'ON CONFLICT (folder_id, user_id)');

/** Names the user where a statement of the service knows an image by its id alone. */
export const withUser = (sql: string): string =>
  sql
    .replaceAll('JOIN images i USING (id)', 'JOIN images i ON i.id = page.id AND i.user_id = $1')
    .replaceAll('i.user_id = owner_id', 'i.user_id = owner_id AND i.user_id = $2');

/** Storage parameters, which only partitions may have. */
const settings = new Map(
  baseline.flatMap((text) =>
    [...text.matchAll(tableText)].map(([, name = '', , its = '']) => [name, its] as const),
  ),
);

async function makePartitions(db: DataSource, parts: number): Promise<void> {
  for (const table of divided) {
    for (let n = 0; n < parts; n += 1) {
      await db.query(
        `CREATE TABLE ${table}_p${n} PARTITION OF ${table}
         FOR VALUES WITH (MODULUS ${parts}, REMAINDER ${n}) ${settings.get(table) ?? ''}`,
      );
    }
  }
}

const switchTriggers = async (db: DataSource, state: 'ENABLE' | 'DISABLE'): Promise<void> => {
  for (const table of [...whole, ...divided]) {
    await db.query(`ALTER TABLE ${table} ${state} TRIGGER USER`);
  }
};

/**
 * Makes the divided tables and copies the rows of the others into them, keys and indexes last. Nothing is
 * divided before it has to be, and each statement is a transaction: made of partitions in a single one,
 * the same schema takes minutes, since every statement goes through what the earlier ones invalidated.
 */
export async function copyDivided(db: DataSource, parts: number): Promise<void> {
  for (const text of baseline) await db.query(dividedText(text));
  const dropped = await selectParts(db, divided);
  for (const { drop } of dropped) await db.query(drop);
  await switchTriggers(db, 'DISABLE');
  await makePartitions(db, parts);
  for (const table of [...whole, ...divided]) {
    const names = await column<string>(
      db,
      `SELECT quote_ident(attname) FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [table],
    );
    const list = names.join(', ');
    await db.query(`INSERT INTO ${table} (${list}) SELECT ${list} FROM public.${table}`);
  }
  await db.query(`SELECT setval('usage_events_numbers', 1000000000)`);
  await makeParts(db, dropped);
  await switchTriggers(db, 'ENABLE');
}

/** The URL of a private server, for sessions whose tables are the divided ones. */
export const dividedUrl = (url: string): string =>
  `${url}&options=${encodeURIComponent(`-c search_path=${schema},public`)}`;
