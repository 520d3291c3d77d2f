/**
 * Rows by key and a page of rows through TypeORM, compared with handwritten SQL through the same pool
 * (docs/adr/0020), on a temporary private server.
 *
 *     npm run orm
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { serviceDataSource } from '../src/ops/service-database.js';
import { insert, rows } from '../src/database/sql.js';
import { FolderEntity } from '../src/library/folders/entity.js';
import { insertFolder } from '../src/library/folders/folders.sql.js';
import { ImageEntity } from '../src/library/images/entity.js';
import { selectNewestImages } from '../src/library/images/list/list.sql.js';
import { selectImage } from '../src/library/images/images.sql.js';
import { openDatabase } from '../src/database/postgres/provision.js';
import { PlatformEntity } from '../src/library/platforms/entity.js';
import { UserEntity } from '../src/library/users/entity.js';
import { provision, report } from './private-service.js';
import { seedUser } from './seeding.js';

const turns = 7;
const perTurn = 300;

type Work = (n: number) => Promise<unknown>;

/** Microseconds per call, in sequential calls. */
async function timed(work: Work): Promise<number> {
  const start = performance.now();
  for (let n = 0; n < perTurn; n += 1) await work(n);
  return ((performance.now() - start) * 1000) / perTurn;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Alternates, so that other load on the machine affects both. */
async function compare(what: string, orm: Work, sql: Work): Promise<void> {
  const [through, by]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    by.push(await timed(sql));
    through.push(await timed(orm));
  }
  const [a, b] = [median(through), median(by)];
  console.log(
    `${what.padEnd(28)}TypeORM ${a.toFixed(0).padStart(6)} µs   SQL ${b.toFixed(0).padStart(6)} µs   ratio ${(a / b).toFixed(2)}`,
  );
}

async function measure(db: DataSource, userId: string): Promise<void> {
  const images = await rows<{ id: string }>(db, `SELECT id FROM images LIMIT ${perTurn}`);
  const image = (n: number): string => images[n]?.id ?? '';
  const folder = () => ({ id: uuidv7(), userId, parentId: null, title: uuidv7() });
  const insertion = 'INSERT INTO folders (id, user_id, parent_id, title) VALUES ($1, $2, $3, $4)';
  const made = folder();
  await insertFolder(db.manager, made);
  const key = { id: made.id, userId };
  await compare(
    'insert a folder',
    () => insertFolder(db.manager, folder()),
    () => rows(db, insertion, Object.values(folder())),
  );
  await compare(
    'rename a folder by key',
    () => db.manager.update(FolderEntity, key, { title: uuidv7() }),
    () =>
      rows(db, 'UPDATE folders SET title = $3, updated_at = now() WHERE id = $1 AND user_id = $2', [
        made.id,
        userId,
        uuidv7(),
      ]),
  );
  await compare(
    'whether an image is there',
    (n) => db.getRepository(ImageEntity).existsBy({ id: image(n), userId }),
    (n) => rows(db, 'SELECT id FROM images WHERE id = $1 AND user_id = $2', [image(n), userId]),
  );
  await compare(
    'find an image by key',
    (n) => db.getRepository(ImageEntity).findOneBy({ id: image(n), userId }),
    (n) => selectImage(db, userId, image(n)),
  );
  await compare(
    'a page of 60 images',
    () =>
      db
        .getRepository(ImageEntity)
        .find({ where: { userId }, order: { createdAt: 'DESC', id: 'DESC' }, take: 60 }),
    () => selectNewestImages(db, userId, { trash: null, periods: [] }, { offset: 0 }, 60),
  );
}

const dir = await mkdtemp(join(tmpdir(), 'imgstore-orm-'));
try {
  const { home, config } = await provision(dir);
  const database = await openDatabase({ home, url: undefined, report });
  const db = await serviceDataSource(database.url, config).initialize();
  try {
    const [platformId, userId] = [uuidv7(), uuidv7()];
    await insert(db, PlatformEntity, { id: platformId, name: 'orm' });
    await insert(db, UserEntity, {
      id: userId,
      platformId,
      platformUserId: 'orm',
      maxStorageBytes: 1e12,
    });
    await seedUser(db, { userId, images: 2_000 });
    await measure(db, userId);
  } finally {
    await db.destroy();
    await database.close();
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}
