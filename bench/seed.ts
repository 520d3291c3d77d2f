import { parseArgs } from 'node:util';
import { serviceDataSource } from '../src/service-database.js';
import { defaultHome, Home } from '../src/config/home.js';
import { loadSettings } from '../src/config/load.js';
import { openDatabase } from '../src/postgres/provision.js';
import { seedUser } from './seeding.js';

// npm run seed -- --user ID --images N [--home DIR]: inserts image rows for a user, without
// objects.

const { values } = parseArgs({
  options: { user: { type: 'string' }, images: { type: 'string' }, home: { type: 'string' } },
});
const images = Number(values.images);
if (!values.user || !Number.isInteger(images) || images < 1) {
  console.error('Usage: npm run seed -- --user ID --images N [--home DIR]');
  process.exit(2);
}

const home = new Home(values.home ?? (process.env.IMGSTORE_HOME || defaultHome()));
const flags = { 'database.statement_timeout': '7200' };
const { values: config } = await loadSettings({ flags, env: process.env, home });
const report = (line: string): void => console.error(`${line} …`);
const database = await openDatabase({ home, url: config['database.url'], report });
const db = await serviceDataSource(database.url, config).initialize();
try {
  await seedUser(db, { userId: values.user, images });
  console.log(`Added ${images} images to the user: rows only, with no files behind their URLs.`);
} finally {
  await db.destroy();
  await database.close();
}
