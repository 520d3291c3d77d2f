import { validate as isUuid } from 'uuid';
import { row } from '../src/database/sql.js';
import { serviceDataSource } from '../src/ops/service-database.js';
import { defaultHome, Home } from '../src/base/config/home.js';
import { loadSettings } from '../src/base/config/load.js';
import { openDatabase } from '../src/database/postgres/provision.js';
import { misused, readOptions } from '../testkit/script.js';
import { othersThan, seedUser } from './seeding.js';

const usage = `Usage: npm run seed -- --user ID --images N [--home DIR] [--yes]

Inserts image rows for a user, with no files behind their URLs, to examine plans and speed. Meanwhile
triggers are off and indexes may be missing, so that nothing else should use the database.

  --user ID    the user, as "imgstore user list" prints it
  --images N   how many
  --home DIR   the home (default: IMGSTORE_HOME, or the usual one)
  --yes        even if the database has other users`;

const values = readOptions(usage, {
  user: { type: 'string' },
  images: { type: 'string' },
  home: { type: 'string' },
  yes: { type: 'boolean', default: false },
});
const images = Number(values.images);
const userId = values.user ?? misused('There is no --user.', usage);
if (!isUuid(userId)) misused(`--user must be the id of a user, not "${userId}".`, usage);
if (!Number.isInteger(images) || images < 1) {
  misused('--images must be a whole number above 0.', usage);
}

const home = new Home(values.home ?? (process.env.IMGSTORE_HOME || (defaultHome() ?? '.')));
const flags = { 'database.statement_timeout': '7200' };
const { values: config } = await loadSettings({ flags, env: process.env, home });
const report = (line: string): void => console.error(`${line} …`);
const database = await openDatabase({ home, url: config['database.url'], report });
const db = await serviceDataSource(database.url, config).initialize();

/** @returns what is wrong with the options, in this database. */
async function seed(): Promise<string | undefined> {
  const known = await row(db, 'SELECT FROM users WHERE id = $1', [userId]);
  if (!known) return `--user: there is no user ${userId}.`;
  const others = await othersThan(db, userId);
  if (others !== undefined && !values.yes) {
    return `The database has ${others}: rows without files do not belong there; --yes adds them.`;
  }
  await seedUser(db, { userId, images });
  console.log(`Added ${images} images to the user: rows only, with no files behind their URLs.`);
  return undefined;
}

const wrong = await seed().finally(async () => {
  await db.destroy();
  await database.close();
});
if (wrong !== undefined) misused(wrong, usage);
