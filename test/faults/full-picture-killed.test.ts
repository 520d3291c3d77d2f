import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';
import { bytesOf } from '../../testkit/fetch.js';
import { readPhoto } from '../../testkit/photos.js';
import { allGone, startsOf } from '../../testkit/processes.js';
import { uploadsIn } from '../../testkit/temporary.js';
import { balance } from './accounts.js';

const started = await appliance({ after }, { args: ['--workers', '2'] });
const { home, user, databaseUrl = '' } = started;

test('kill -9 after a whole picture is stored, before its version refers to it', async (t) => {
  const image = await user.upload({}, await readPhoto('grid.heic'));
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  t.after(() => db.end());
  // The version's row cannot change for as long as this session has the lock.
  await db.query(`
    SELECT pg_advisory_lock(39);
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $f$
    BEGIN
      PERFORM pg_advisory_xact_lock(39);
      RETURN NEW;
    END $f$;
    CREATE TRIGGER hold BEFORE UPDATE ON image_versions FOR EACH ROW EXECUTE FUNCTION hold();
  `);
  const request = fetch(image.full_url ?? '').catch((error: unknown) => error);
  await eventually('it waits for the lock', async () => {
    const { rowCount } = await db.query(
      `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE l.locktype = 'advisory' AND l.objid = 39 AND NOT l.granted
         AND d.datname = current_database()`,
    );
    return rowCount === 1;
  });
  const running = startsOf(await started.processes());
  await started.kill();
  assert.ok((await request) instanceof Error);
  await eventually('all are gone', async () => allGone(running));
  await db.query('DROP TRIGGER hold ON image_versions; SELECT pg_advisory_unlock(39)');

  await started.restart();
  assert.deepEqual(await uploadsIn(home.incoming), []);
  const left = await balance(home, databaseUrl);
  assert.equal(left.waiting, 1, 'its object is stored, and listed');
  const { full_url: url } = await user.image(image.id);
  const bytes = await bytesOf(url ?? '');
  assert.equal(bytes.readUInt16BE(0), 0xffd8);
  assert.equal((await balance(home, databaseUrl)).waiting, 0);
});
