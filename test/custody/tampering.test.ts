import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Queryable } from '../../src/database/sql.js';
import type { VerifiedCustody } from '../../src/feed/custody/verify.js';
import { attack, kept, logged, PublishedLog } from '../../testkit/custody.js';
import { done } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import { operate } from '../../testkit/operator.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

// Whoever may do everything to the database changes what was logged: `custody verify` names it.

const service = await ownService({ after });
const { db } = service;
const folder = await temporaryDirectory('tampering');
after(() => rm(folder, { recursive: true, force: true }));

const user = await (await service.platform()).user();
const ids = await seedImages(
  service,
  user,
  Array.from({ length: 300 }, (_, n) => ({ place: [37 + n / 1_000, 127], address_road: `${n}` })),
);
const edited = await user.upload();
await user.edit(edited);
const moved = await user.upload();
await user.put<Image>(`/images/${moved.id}`, { latitude: '1', longitude: '2' });
const deleted = await user.upload();
await user.trash(deleted);
done(await user.delete(`/trash/${deleted.id}`));
await logged(db);
const yesterday = join(folder, 'yesterday.txt');
await writeFile(yesterday, await PublishedLog.of(user.tenant).checkpoint());
await user.upload();
await logged(db);

const verify = async (...args: string[]) => {
  const ran = await operate(service, ['custody', 'verify', ...args]);
  return { code: ran.code, ...ran.json<VerifiedCustody>() };
};

/** Changes something, has it named, and undoes it. */
async function isNamed(
  tables: readonly string[],
  change: (tx: Queryable) => Promise<unknown>,
  named: (found: VerifiedCustody) => boolean,
): Promise<void> {
  const undo = await kept(db, tables);
  try {
    await attack(db, change);
    const found = await verify('--checkpoint', yesterday);
    assert.equal(found.code, 3);
    assert.ok(named(found), JSON.stringify(found.differences));
  } finally {
    await undo();
  }
}

const image = (n: number): string => ids[n] ?? '';
const names = (id: string) => (found: VerifiedCustody) =>
  found.differences.some(({ image_id }) => image_id === id);
const says = (pattern: RegExp) => (found: VerifiedCustody) =>
  found.differences.some(({ what }) => pattern.test(what));
const both =
  (...all: ((found: VerifiedCustody) => boolean)[]) =>
  (found: VerifiedCustody) =>
    all.every((one) => one(found));

test('nothing is named that nobody changed', async () => {
  const found = await verify('--checkpoint', yesterday);
  assert.deepEqual([found.code, found.ok, found.differences], [0, true, []]);
  assert.equal(found.images, 303);
  assert.equal(found.entries, 300 + 2 + 2 + 3 + 1);
});

describe('what is named', () => {
  const one =
    (sql: string, parameters: unknown[] = [image(7)]) =>
    (tx: Queryable) =>
      tx.query(sql, parameters);

  const changes: readonly [string, string][] = [
    ['content', `hash = sha256('other')`],
    ['place', `location = ST_SetSRID(ST_MakePoint(127, 38), 4326)::geography`],
    ['place', `location = NULL`],
    ['taken_at', `taken_at = '2020-01-01'`],
    ['created_at', `created_at = created_at - interval '1 year'`],
    ['address', `address_road = 'elsewhere'`],
    ['folder', `folder_id = NULL, trashed_with = gen_random_uuid(), deleted_at = now()`],
    ['trash', `deleted_at = now()`],
  ];
  for (const [what, set] of changes) {
    test(`${set} of an image`, async () => {
      await isNamed(['images'], one(`UPDATE images SET ${set} WHERE id = $1`), names(image(7)));
      assert.ok(what);
    });
  }

  test('a picture in the place of another, in the tables of rows and versions', () =>
    isNamed(
      ['images', 'image_versions'],
      async (tx) => {
        const hash = randomBytes(32);
        await tx.query('UPDATE images SET hash = $2 WHERE id = $1', [image(3), hash]);
        await tx.query('UPDATE image_versions SET hash = $2 WHERE image_id = $1', [image(3), hash]);
      },
      names(image(3)),
    ));

  test('an earlier version that was changed, or removed', async () => {
    const sql = 'UPDATE image_versions SET hash = $2 WHERE image_id = $1 AND version = 0';
    await isNamed(['image_versions'], one(sql, [edited.id, randomBytes(32)]), names(edited.id));
    const gone = 'DELETE FROM image_versions WHERE image_id = $1 AND version = 0';
    await isNamed(['image_versions'], one(gone, [edited.id]), names(edited.id));
  });

  test('an image that vanished', () =>
    isNamed(['images'], one('DELETE FROM images WHERE id = $1', [image(9)]), names(image(9))));

  test('an image that vanished with all that was said of it', () =>
    isNamed(
      ['images', 'image_versions', 'custody_history'],
      async (tx) => {
        for (const table of ['images', 'image_versions', 'custody_history']) {
          const key = table === 'images' ? 'id' : 'image_id';
          await tx.query(`DELETE FROM ${table} WHERE ${key} = $1`, [image(9)]);
        }
      },
      says(/^entry 9 of the log .* is of an image that is gone/),
    ));

  test('an image that came from nowhere', () =>
    isNamed(
      ['custody_history'],
      one('DELETE FROM custody_history WHERE image_id = $1', [image(11)]),
      both(names(image(11)), says(/^entry 11 of the log/)),
    ));

  test('what was said of an image, dates above all', () =>
    isNamed(
      ['images', 'custody_history'],
      async (tx) => {
        const earlier = `at = at - interval '1 year'`;
        await tx.query(`UPDATE custody_history SET ${earlier} WHERE image_id = $1`, [image(13)]);
      },
      names(image(13)),
    ));

  test('a place and all that was said of it, in the image and its history', () =>
    isNamed(
      ['images', 'custody_history'],
      async (tx) => {
        await tx.query('UPDATE images SET location = NULL WHERE id = $1', [moved.id]);
        await tx.query(
          `UPDATE custody_history SET state = (SELECT custody_state(i) FROM images i WHERE i.id = image_id)
           WHERE image_id = $1 AND kinds = 'place'`,
          [moved.id],
        );
      },
      names(moved.id),
    ));

  test('salts that are gone while the user is there', () =>
    isNamed(['custody_salts'], one('DELETE FROM custody_salts', []), names(image(0))));

  test('an entry of the log', () =>
    isNamed(
      ['custody_tiles'],
      one(
        `UPDATE custody_tiles SET data = set_byte(data, 10 * 66 + 40, (get_byte(data, 10 * 66 + 40) + 1) % 256)
           WHERE level = -1 AND n = 0`,
        [],
      ),
      says(/^entry 10 of the log .* was changed/),
    ));

  test('a hash of the log, at any level', async () => {
    for (const level of [0, 1]) {
      await isNamed(
        ['custody_tiles'],
        one(
          `UPDATE custody_tiles SET data = set_byte(data, 0, (get_byte(data, 0) + 1) % 256)
             WHERE level = $1 AND n = 0`,
          [level],
        ),
        says(/was changed/),
      );
    }
  });

  test('a log that lost its end', () =>
    isNamed(
      ['custody_tiles', 'custody_logs'],
      async (tx) => {
        await tx.query('UPDATE custody_logs SET size = size - 1');
        await tx.query('DELETE FROM custody_tiles WHERE level = 1');
      },
      says(/damaged|checkpoint|another history/),
    ));
});

test('a second history, signed with the same key, is not that of yesterday', async () => {
  // With the master key, an attacker makes the whole log anew.
  const { home } = service;
  await attack(db, async (tx) => {
    await tx.query('UPDATE images SET location = NULL WHERE id = $1', [image(1)]);
    await tx.query('DELETE FROM custody_history');
    await tx.query('DELETE FROM custody_tiles');
    const { emptyRoot, privateKeyOf, signNote } = await import('../../src/feed/custody/crypto.js');
    const { checkpointText } = await import('../../src/feed/custody/notes.js');
    const { readMasterKey } = await import('../../src/http/auth/secrets.js');
    const master = await readMasterKey(home);
    for (const { id, origin } of (await tx.query('SELECT id, origin FROM custody_logs')) as {
      id: string;
      origin: string;
    }[]) {
      const text = checkpointText({ origin, size: 0, root: emptyRoot.toString('base64') });
      const note = signNote(text, origin, privateKeyOf(master.custodySeed(origin)));
      await tx.query('UPDATE custody_logs SET size = 0, checkpoint = $2 WHERE id = $1', [id, note]);
    }
    await tx.query(
      `INSERT INTO custody_scan (after) VALUES ('00000000-0000-0000-0000-000000000000')`,
    );
  });
  // The node knows what it has published, and goes on in a log of its own; so would one that has forgotten.
  await logged(db);
  const found = await verify('--checkpoint', yesterday);
  assert.equal(found.code, 3);
  assert.ok(
    says(/is another history than its checkpoint of \d+ entries/)(found),
    JSON.stringify(found),
  );
});
