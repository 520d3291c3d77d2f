import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import type { DataSource } from 'typeorm';
import { Home } from '../../src/base/config/home.js';
import { column, onlyValue, rows } from '../../src/database/sql.js';
import { CustodyLogs, endRestoredLogs, logHost } from '../../src/feed/custody/log.js';
import { Proofs } from '../../src/feed/custody/proofs.js';
import { verifyCustody } from '../../src/feed/custody/verify.js';
import { newMasterKey, type MasterKey } from '../../src/http/auth/secrets.js';
import { kept } from '../../testkit/custody.js';
import { eventually } from '../../testkit/eventually.js';
import { seedImages, type SeededImage } from '../../testkit/image-rows.js';
import { insertUser, removeUser } from '../../testkit/insert-user.js';
import { migratedSource } from '../../testkit/migrated-source.js';
import { logger } from '../../testkit/silent-logger.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { openCheckpoint, readLog, rootAt } from '../../testkit/tlog.js';

const { signal } = new AbortController();

/** An installation without a service: rows, and who takes them into logs. */
class Installation {
  readonly proofs: Proofs;

  private constructor(
    readonly db: DataSource,
    readonly home: Home,
    readonly master: MasterKey,
    readonly platformId: string,
    readonly userId: string,
  ) {
    this.proofs = new Proofs(db);
  }

  static async make(poolSize = 4): Promise<Installation> {
    const db = await migratedSource({ after }, poolSize);
    const dir = await temporaryDirectory('logs');
    after(() => rm(dir, { recursive: true, force: true }));
    const { platformId, userId } = await insertUser(db);
    return new Installation(db, new Home(dir), newMasterKey(), platformId, userId);
  }

  node(master = this.master): CustodyLogs {
    const { db, home } = this;
    return new CustodyLogs({ db, home, master, logger, host: 'images.example' });
  }

  /** Other tests hold transactions open on this server: what is newer than those is taken later. */
  caughtUp = (node = this.node()): Promise<void> =>
    eventually('the log has taken all entries', async () => {
      await node.catchUp(signal);
      return (await onlyValue(this.db, 'SELECT count(*)::int FROM custody_entries')) === 0;
    });

  images = (count: number, image: SeededImage = {}): Promise<string[]> =>
    seedImages(
      this,
      { id: this.userId, platformId: this.platformId },
      Array.from({ length: count }, () => image),
    );

  /** The log as others read it. */
  async read() {
    const { checkpoint, key } = await this.proofs.log(this.platformId);
    const head = openCheckpoint(checkpoint, key);
    const get = (path: string): Promise<Buffer> => {
      const [, level = '', ...name] = path.split('/');
      return this.proofs.tile(this.platformId, level, name.join('/'));
    };
    return { checkpoint, head, entries: await readLog(get, head) };
  }

  kinds = (): Promise<string[]> =>
    column(this.db, 'SELECT kinds FROM custody_history ORDER BY log_id, leaf');

  verify = (checkpoints: readonly string[] = []) =>
    verifyCustody({ db: this.db, home: this.home, checkpoints, signal });
}

describe('entries are taken into the log', () => {
  test('in the order of the feed, each once, whoever is killed', async () => {
    const at = await Installation.make(8);
    const heads: { size: number; root: string }[] = [];
    const nodes = [at.node(), at.node()];
    const killed = new AbortController();
    const killing = (async () => {
      while (!killed.signal.aborted) {
        await rows(
          at.db,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%custody%'`,
        ).catch(() => undefined);
      }
    })();
    let images = 0;
    for (let round = 0; round < 20; round += 1) {
      const made = await at.images(150).catch(() => []);
      images = await onlyValue<number>(at.db, 'SELECT count(*)::int FROM images').catch(
        () => images,
      );
      await rows(at.db, 'UPDATE images SET deleted_at = now() WHERE id = ANY ($1)', [
        made.slice(0, 50),
      ]).catch(() => undefined);
      await Promise.all(nodes.map((node) => node.catchUp(signal).catch(() => undefined)));
      const seen = await at.read().catch(() => undefined);
      if (seen) heads.push(seen.head);
    }
    killed.abort();
    await killing;
    await at.caughtUp();
    const { entries } = await at.read();
    for (const { size, root } of heads) assert.equal(rootAt(entries, size), root);
    const trashed = await onlyValue<number>(
      at.db,
      'SELECT count(*)::int FROM images WHERE deleted_at IS NOT NULL',
    );
    images = await onlyValue(at.db, 'SELECT count(*)::int FROM images');
    assert.equal(entries.length, images + trashed);
    assert.ok(images > 0);
    assert.deepEqual((await at.verify()).differences, []);
  });

  test('not before those that may come before them', async () => {
    const at = await Installation.make();
    const other = await insertUser(at.db, at.platformId);
    await at.caughtUp();
    const early = at.db.createQueryRunner();
    await early.startTransaction();
    await early.query(`UPDATE users SET max_storage_bytes = 2 WHERE id = $1`, [other.userId]);
    await at.images(1);
    await at.node().catchUp(signal);
    assert.deepEqual(await at.kinds(), []);
    await early.commitTransaction();
    await early.release();
    await at.caughtUp();
    assert.deepEqual(await at.kinds(), ['upload']);
  });

  test('of what is deleted meanwhile: nothing is named before the log has that', async () => {
    const at = await Installation.make();
    const [id = ''] = await at.images(2);
    await at.caughtUp();
    await rows(at.db, 'DELETE FROM images WHERE id = $1', [id]);
    assert.deepEqual((await at.verify()).differences, []);
    await rows(at.db, 'DELETE FROM custody_entries');
    const { differences } = await at.verify();
    assert.deepEqual(
      differences.map(({ image_id }) => image_id),
      [id],
    );
  });

  test('of a user who is deleted, and of a platform', async () => {
    const at = await Installation.make();
    await at.images(5);
    await at.caughtUp();
    const { head } = await at.read();
    await at.images(2);
    await removeUser(at.db, at.userId);
    await at.caughtUp();
    const { entries } = await at.read();
    assert.equal(rootAt(entries, 5), head.root);
    assert.equal(entries.length, 5 + 2 + 7);
    assert.deepEqual(await at.kinds(), []);
    assert.deepEqual((await at.verify()).differences, []);
    await rows(at.db, 'DELETE FROM platforms');
    await at.caughtUp();
    assert.equal(await onlyValue(at.db, 'SELECT count(*)::int FROM custody_tiles'), 0);
    await assert.rejects(at.proofs.log(at.platformId), { code: 'not_found' });
  });
});

describe('images from before the log', () => {
  test('are found, with all versions, and once', async () => {
    const at = await Installation.make();
    await rows(at.db, 'ALTER TABLE images DISABLE TRIGGER USER');
    const [edited = '', ...others] = await at.images(1_200, { address_road: 'a road' });
    await rows(at.db, 'ALTER TABLE images ENABLE TRIGGER USER');
    await rows(at.db, 'ALTER TABLE image_versions DISABLE TRIGGER USER');
    await rows(
      at.db,
      `WITH made AS (
         INSERT INTO image_versions (id, platform_id, user_id, image_id, version, format, extension,
           thumb_extension, hash, bytes, width, height)
         SELECT gen_random_uuid(), platform_id, user_id, id, 1, format, extension, thumb_extension,
           sha256('edit'), 1, 1, 1 FROM images WHERE id = $1 RETURNING *)
       UPDATE images i SET version = 1, version_id = m.id, hash = m.hash FROM made m WHERE i.id = m.image_id`,
      [edited],
    );
    await rows(at.db, 'ALTER TABLE image_versions ENABLE TRIGGER USER');
    await rows(at.db, 'DELETE FROM custody_entries');
    // One of them changes before it is found.
    await rows(at.db, `UPDATE images SET address_road = 'another' WHERE id = $1`, [others[700]]);
    await at.caughtUp();
    await rows(
      at.db,
      `INSERT INTO custody_scan (after) VALUES ('00000000-0000-0000-0000-000000000000')`,
    );
    await at.caughtUp();
    const kinds = await at.kinds();
    assert.equal(kinds.filter((kind) => kind === 'found').length, 1_200);
    assert.deepEqual(kinds.slice(0, 2), ['address', 'found']);
    assert.equal(kinds.length, 1_201);
    assert.match(await at.proofs.of(edited, false), /\n versions [0-9a-f]{64}\n/);
    assert.deepEqual((await at.verify()).differences, []);
    await at.caughtUp();
    assert.equal((await at.kinds()).length, 1_201);
  });
});

const tables = ['images', 'custody_entries', 'custody_history', 'custody_tiles', 'custody_logs'];

describe('a new log begins, and names the one before it', () => {
  const made = async () => {
    const at = await Installation.make();
    const [first = ''] = await at.images(3);
    await at.caughtUp();
    return { at, first, before: await at.read() };
  };

  const continues = async (at: Installation, named: string, images: number) => {
    const now = await at.read();
    assert.equal(now.entries[0]?.toString(), named);
    assert.equal(now.head.size, images + 1);
    const found = await at.verify();
    assert.deepEqual(found.differences, []);
    assert.equal(found.logs, 2);
    return now;
  };

  test('where a failover lost what a node has published', async () => {
    const { at } = await made();
    const back = await kept(at.db, tables);
    const node = at.node();
    await at.images(2);
    await at.caughtUp(node);
    const lost = (await at.read()).checkpoint;
    await back();
    await at.images(1);
    // It still knows, and so does the same node after a restart.
    await at.caughtUp();
    const now = await at.read();
    assert.equal(now.entries[0]?.toString(), lost);
    assert.notEqual(now.head.origin, lost.split('\n')[0]);
    assert.equal(now.head.size, 1 + 4);
    // The lost entries are missed wherever somebody has their checkpoint.
    assert.deepEqual(
      (await at.verify([lost])).differences.map(({ what }) => /is another history/.test(what)),
      [true],
    );
  });

  test('after a restore, unless the newest checkpoint is given and fits', async () => {
    const { at, first, before } = await made();
    assert.equal(await endRestoredLogs(at.db, [before.checkpoint]), 0);
    await at.images(1);
    await at.caughtUp();
    const grown = await at.read();
    assert.equal(rootAt(grown.entries, 3), before.head.root);
    assert.equal(grown.head.origin, before.head.origin);

    const foreign = grown.checkpoint.replace('\n4\n', '\n5\n');
    assert.equal(await endRestoredLogs(at.db, [foreign]), 1);
    await at.caughtUp();
    const now = await continues(at, grown.checkpoint, 4);
    assert.notEqual(now.head.origin, before.head.origin);
    // A proof has the chain of both.
    const proof = await at.proofs.of(first, false);
    assert.match(proof, /Z upload\n[^]*Z found\n/);
  });

  test('with another master key', async () => {
    const { at, before } = await made();
    await at.images(1);
    await at.caughtUp(at.node(newMasterKey()));
    await continues(at, before.checkpoint, 4);
  });

  test('where a tile is damaged, of this platform alone', async () => {
    const { at, before } = await made();
    const other = await insertUser(at.db);
    await seedImages(at, { id: other.userId, platformId: other.platformId }, [{}]);
    await rows(
      at.db,
      'UPDATE custody_tiles SET data = substr(data, 2) WHERE level = 0 AND platform_id = $1',
      [at.platformId],
    );
    await at.images(1);
    await at.caughtUp();
    const now = await at.read();
    assert.equal(now.entries[0]?.toString(), before.checkpoint);
    assert.equal(now.head.size, 5);
    assert.match((await at.proofs.log(other.platformId)).checkpoint, /\n1\n/);
    const told = (await at.verify()).differences.map(({ what }) => what);
    assert.ok(
      told.some((what) => /damaged|was changed/.test(what)),
      told.join(),
    );
  });
});

test('names of logs say where they are served', () => {
  assert.equal(logHost(undefined), 'imgstore');
  assert.equal(logHost('https://images.example:8443/a+b/'), 'images.example:8443/a%2Bb');
});

test('a node keeps the newest checkpoint of each log in its home', async () => {
  const at = await Installation.make();
  await at.images(1);
  await at.caughtUp();
  assert.equal((await readdir(at.home.checkpoints)).length, 1);
});
