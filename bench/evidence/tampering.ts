import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { forEachLimited } from '../../src/base/concurrency.js';
import { onlyValue, rows, type Queryable } from '../../src/database/sql.js';
import { readMasterKey } from '../../src/http/auth/secrets.js';
import { attack, kept, logged } from '../../testkit/custody.js';
import { done } from '../../testkit/expect.js';
import { filePart } from '../../testkit/pictures.js';
import { Random } from '../../testkit/random.js';
import { hashOfEntry, signedCheckpoint, tilesFor } from '../../testkit/tlog.js';
import type { Scope } from '../../testkit/scope.js';
import { picture, type Member } from '../../testkit/world.js';
import { answered, openTarget, type Found, type Kept, type Reader, type Target } from './target.js';

// An attacker who is superuser of the database and has the store, the home, and the master key changes what was
// logged by yesterday. A verifier that knows yesterday's checkpoint has to name every change, and nothing else.

/** Small files that were asked for are answered from memory for a second. */
const fromMemoryMs = 1_100;
/** Images changed at the same time. */
const atOnce = 40;
const images = 80;
const tables = ['images', 'image_versions', 'custody_history', 'custody_tiles', 'custody_logs'];

interface Attacked {
  readonly id: string;
  /** Of its picture as it was uploaded. */
  readonly path: string;
}

/** A change to an image, with all rights. */
type Change = (tx: Queryable, image: Attacked) => Promise<unknown>;

const row =
  (set: string): Change =>
  (tx, { id }) =>
    tx.query(`UPDATE images SET ${set} WHERE id = $1`, [id]);

/** Has the newest entry of the history say what the row says. */
const retell: Change = (tx, { id }) =>
  tx.query(
    `UPDATE custody_history h SET state = custody_state(i), address = custody_address(i)
     FROM images i WHERE i.id = $1 AND h.image_id = i.id AND (h.log_id, h.leaf) = (
       SELECT log_id, leaf FROM custody_history WHERE image_id = $1 ORDER BY log_id DESC, leaf DESC LIMIT 1)`,
    [id],
  );

const all =
  (...changes: readonly Change[]): Change =>
  async (tx, image) => {
    for (const change of changes) await change(tx, image);
  };

const told = (set: string): Change => all(row(set), retell);
const history =
  (set: string): Change =>
  (tx, { id }) =>
    tx.query(`UPDATE custody_history SET ${set} WHERE image_id = $1`, [id]);
const without =
  (...names: readonly string[]): Change =>
  async (tx, { id }) => {
    for (const name of names)
      await tx.query(`DELETE FROM ${name} WHERE ${name === 'images' ? 'id' : 'image_id'} = $1`, [
        id,
      ]);
  };

const otherHash: Change = async (tx, { id }) => {
  const hash = randomBytes(32);
  await tx.query('UPDATE images SET hash = $2 WHERE id = $1', [id, hash]);
  await tx.query('UPDATE image_versions SET hash = $2 WHERE id = $1', [id, hash]);
};

const bytes: Change = async (_, { path }) => {
  const picture = await readFile(path);
  picture[picture.length >> 1] = (picture[picture.length >> 1] ?? 0) ^ 1;
  await writeFile(path, picture);
};

const elsewhere = 'location = ST_SetSRID(ST_MakePoint(127.5, 38), 4326)::geography';
const aYear = `interval '1 year'`;

const changes: readonly (readonly [name: string, change: Change])[] = [
  ['a bit of the picture', bytes],
  ['the hash of the picture, in the tables', otherHash],
  ['the picture, its hash, and what was said of it', all(bytes, otherHash, retell)],
  ['the place', row(elsewhere)],
  ['the place, and what was said of it', told(elsewhere)],
  ['the place, away', told('location = NULL')],
  ['when it was taken', row(`taken_at = coalesce(taken_at, created_at) - ${aYear}`)],
  ['when it was taken, as was said', told(`taken_at = coalesce(taken_at, created_at) - ${aYear}`)],
  ['when it was made', row(`created_at = created_at - ${aYear}`)],
  ['when it was made, as was said', told(`created_at = created_at - ${aYear}`)],
  ['the address', row(`address_road = 'elsewhere'`)],
  ['the address, and what was said of it', told(`address_road = 'elsewhere'`)],
  ['into the trash', row('deleted_at = now()')],
  ['into the trash, as was said', told(`deleted_at = now() - ${aYear}`)],
  ['when all of it happened', history(`at = at - ${aYear}`)],
  ['what happened', history(`kinds = 'found'`)],
  ['the image, gone', without('images', 'image_versions')],
  ['the image, gone with its history', without('images', 'image_versions', 'custody_history')],
];

/** The log as the attacker makes it anew. */
class Forgery {
  private constructor(
    private readonly tx: Queryable,
    private readonly target: Target,
    private readonly log: { id: string; origin: string; platform_id: string },
    readonly entries: readonly Buffer[],
  ) {}

  static async of(tx: Queryable, target: Target, platformId: string): Promise<Forgery> {
    const [log] = (await tx.query('SELECT * FROM custody_logs WHERE platform_id = $1', [
      platformId,
    ])) as [{ id: string; origin: string; platform_id: string }];
    const bundles = (await tx.query(
      'SELECT data FROM custody_tiles WHERE log_id = $1 AND level = -1 ORDER BY n',
      [log.id],
    )) as { data: Buffer }[];
    const framed = Buffer.concat(bundles.map(({ data }) => data));
    const entries: Buffer[] = [];
    for (let at = 0; at < framed.length;) {
      const end = at + 2 + framed.readUInt16BE(at);
      entries.push(framed.subarray(at + 2, end));
      at = end;
    }
    return new Forgery(tx, target, log, entries);
  }

  /** Signs, with the key of the log or with another one, and puts it in the place of the log. */
  async publish(entries: readonly Buffer[], seed?: Buffer): Promise<void> {
    const { tx, log } = this;
    const master = await readMasterKey(this.target.serving.home);
    const key = seed ?? master.custodySeed(log.origin);
    const { checkpoint, vkey } = signedCheckpoint(log.origin, entries, key);
    await tx.query('DELETE FROM custody_tiles WHERE log_id = $1', [log.id]);
    for (const { level, n, data } of tilesFor(entries)) {
      await tx.query(
        'INSERT INTO custody_tiles (log_id, platform_id, level, n, data) VALUES ($1, $2, $3, $4, $5)',
        [log.id, log.platform_id, level, n, data],
      );
    }
    await tx.query('UPDATE custody_logs SET size = $2, checkpoint = $3, key = $4 WHERE id = $1', [
      log.id,
      entries.length,
      checkpoint,
      vkey,
    ]);
  }

  /** What the log would have if the history of an image had always been what its rows say now. */
  async retold({ id }: Attacked): Promise<Buffer[]> {
    const { tx } = this;
    await history('state = (SELECT custody_state(i) FROM images i WHERE i.id = image_id)')(tx, {
      id,
      path: '',
    });
    const said = (await tx.query(
      `SELECT h.leaf::int, custody_digest(s.salt, i.id, h.at, h.kinds, h.state) AS digest
       FROM custody_history h JOIN images i ON i.id = h.image_id JOIN custody_salts s ON s.user_id = i.user_id
       WHERE h.image_id = $1 ORDER BY h.leaf`,
      [id],
    )) as { leaf: number; digest: Buffer }[];
    const entries = [...this.entries];
    let before: Buffer = Buffer.alloc(32);
    for (const { leaf, digest } of said) {
      const entry = Buffer.concat([before, digest]);
      entries[leaf] = entry;
      before = hashOfEntry(entry);
      const sql = 'UPDATE custody_history SET hash = $3 WHERE image_id = $1 AND leaf = $2';
      await tx.query(sql, [id, leaf, before]);
    }
    return entries;
  }
}

/** A change to the log itself. @param size of yesterday. */
type Fork = (log: Forgery, tx: Queryable, image: Attacked, size: number) => Promise<unknown>;

const flipped =
  (level: number): Fork =>
  (_log, tx) =>
    tx.query(
      `UPDATE custody_tiles SET data = set_byte(data, 40, (get_byte(data, 40) + 1) % 256)
       WHERE level = $1 AND n = 0 AND length(data) > 40`,
      [level],
    );

const forks: readonly (readonly [name: string, fork: Fork])[] = [
  ['a bit of an entry', flipped(-1)],
  ['a bit of a hash', flipped(0)],
  [
    'another place, in a second history',
    async (log, tx, image) => {
      await row(elsewhere)(tx, image);
      await log.publish(await log.retold(image));
    },
  ],
  [
    'an entry that never was, in a second history',
    (log, _tx, _image, size) => log.publish(log.entries.filter((_, n) => n !== size - 5)),
  ],
  [
    'an upload dated back, in a second history',
    (log, _tx, _image, size) => {
      const upload = Buffer.concat([Buffer.alloc(32), randomBytes(32)]);
      return log.publish([
        ...log.entries.slice(0, size - 5),
        upload,
        ...log.entries.slice(size - 5),
      ]);
    },
  ],
  [
    'all since yesterday noon, taken back',
    (log, _tx, _image, size) => log.publish(log.entries.slice(0, size - 1)),
  ],
  ['the key', (log) => log.publish(log.entries, randomBytes(32))],
];

export interface Tampered {
  readonly changes: number;
  readonly named: number;
  /** What was named that nobody had changed, and what was not named. */
  readonly problems: readonly string[];
}

/** Attacks an installation of its own so many times. @param report gets a line now and then. */
export async function tamper(
  scope: Scope,
  count: number,
  report: (line: string) => void,
): Promise<Tampered> {
  const target = await openTarget(scope);
  const { user } = target.serving;
  const pictures = await fill(user, images);
  const reader = await target.reader(user.tenant);
  const yesterday = await reader.keep();
  done(await answered(() => user.tryUpload()));
  await logged(target.db);
  const tampering = new Tampering({ target, user, reader, pictures, yesterday }, report);
  return tampering.run(count);
}

/** Images, some of them with a history. */
async function fill(user: Member, count: number): Promise<string[]> {
  const made: string[] = [];
  const numbers = Array.from({ length: count }, (_, n) => n);
  const folder = await user.folder('moved here');
  await forEachLimited(numbers, 8, async (n) => {
    const place = { latitude: '37.5', longitude: String(127 + n / 1_000) };
    const fields = { ...place, address_road: `road ${n}` };
    const image = done(await answered(() => user.tryUpload(fields)));
    const change = (form: Record<string, string>) =>
      answered(() => user.put(`/images/${image.id}`, form));
    if (n % 5 === 1) await change({ latitude: '36.1', longitude: '127' });
    if (n % 5 === 2) {
      const image_data = filePart(await picture());
      await answered(() => user.post(`/images/${image.id}/filedata`, { image_data }));
    }
    if (n % 5 === 3) await change({ folder_id: folder.id });
    if (n % 10 === 4) await change({ delete: 'True' });
    made.push(image.id);
  });
  return made;
}

interface Scene {
  readonly target: Target;
  readonly user: Member;
  readonly reader: Reader;
  readonly pictures: readonly string[];
  readonly yesterday: Kept;
}

class Tampering {
  readonly #random = new Random(28);
  readonly #problems: string[] = [];
  #named = 0;
  #done = 0;

  constructor(
    private readonly scene: Scene,
    private readonly report: (line: string) => void,
  ) {}

  async run(count: number): Promise<Tampered> {
    const forked = Math.max(forks.length, Math.round(count / 20));
    const late = Math.max(1, Math.round(count / 20));
    await this.#quiet();
    for (let n = 0; n < forked; n += 1) await this.#fork(n);
    for (let left = count - forked - late; left > 0; left -= atOnce) {
      await this.#round(Math.min(left, atOnce));
      this.report(`${this.#named} of ${this.#done} changes named`);
    }
    await this.#quiet();
    await this.#dateBack(late);
    return { changes: this.#done, named: this.#named, problems: this.#problems };
  }

  #verify = (): Promise<Found> => {
    const { reader, user, yesterday } = this.scene;
    return reader.verify([user], [yesterday]);
  };

  /** Nothing is named that nobody changed. */
  async #quiet(): Promise<void> {
    await delay(fromMemoryMs);
    const { findings } = await this.#verify();
    for (const { what } of findings) this.#problems.push(`nobody did this: ${what}`);
  }

  async #attacked(id: string): Promise<Attacked> {
    const { db, serving } = this.scene.target;
    const name = await onlyValue<string>(
      db,
      `SELECT concat_ws('/', platform_id, user_id, id, id, 'original.' || original_extension) FROM images WHERE id = $1`,
      [id],
    );
    return { id, path: join(serving.home.store, name) };
  }

  async #round(size: number): Promise<void> {
    const { db } = this.scene.target;
    const ids = this.#random.shuffled(this.scene.pictures).slice(0, size);
    const attacked = await Promise.all(ids.map((id) => this.#attacked(id)));
    const owners = await this.#owners();
    const files = await Promise.all(attacked.map(({ path }) => readFile(path)));
    const undo = await kept(db, tables);
    const names = new Map<string, string>();
    await attack(db, async (tx) => {
      for (const image of attacked) {
        const [name, change] = changes[(this.#done += 1) % changes.length] as (typeof changes)[0];
        await change(tx, image);
        names.set(image.id, name);
      }
    });
    await delay(fromMemoryMs);
    const { findings } = await this.#verify();
    const found = new Set(findings.map(({ image, entry }) => image ?? owners.get(entry ?? -1)));
    for (const [id, name] of names) {
      if (found.delete(id)) this.#named += 1;
      else this.#problems.push(`not named: ${name}`);
    }
    if (found.size > 0) this.#problems.push(`nobody did this: ${JSON.stringify(findings)}`);
    await undo();
    await Promise.all(attacked.map(({ path }, n) => writeFile(path, files[n] ?? '')));
  }

  async #owners(): Promise<Map<number, string>> {
    const found = await rows<{ leaf: number; id: string }>(
      this.scene.target.db,
      'SELECT leaf::int, image_id AS id FROM custody_history',
    );
    return new Map(found.map(({ leaf, id }) => [leaf, id]));
  }

  async #fork(n: number): Promise<void> {
    const { target, user, yesterday, pictures } = this.scene;
    const [name, fork] = forks[n % forks.length] as (typeof forks)[0];
    const size = Number(yesterday.checkpoint.split('\n')[1]);
    const undo = await kept(target.db, tables);
    const image = { id: this.#random.of(pictures) ?? '', path: '' };
    await attack(target.db, async (tx) =>
      fork(await Forgery.of(tx, target, user.platformId), tx, image, size),
    );
    const { findings } = await this.#verify();
    this.#done += 1;
    if (findings.some(({ image: named }) => !named)) this.#named += 1;
    else this.#problems.push(`not named: ${name}`);
    await undo();
  }

  /** Uploads that the log is given with dates before yesterday: it cannot be undone, since the log grows. */
  async #dateBack(count: number): Promise<void> {
    const { target, pictures } = this.scene;
    const dated = new Set(pictures.slice(0, count));
    await attack(target.db, async (tx) => {
      for (const id of dated) {
        await tx.query(
          `INSERT INTO custody_entries (feed_position, platform_id, image_id, at, kinds, state, digest)
           SELECT feed_position(), i.platform_id, i.id, c.at, 'time', custody_state(i),
                  custody_digest(s.salt, i.id, c.at, 'time', custody_state(i))
           FROM images i JOIN custody_salts s ON s.user_id = i.user_id,
                (SELECT now() - interval '1 year' AS at) AS c
           WHERE i.id = $1`,
          [id],
        );
      }
    });
    await logged(target.db);
    const { findings } = await this.#verify();
    this.#done += dated.size;
    for (const { image = '', what } of findings) {
      if (dated.delete(image)) this.#named += 1;
      else this.#problems.push(`nobody did this: ${what}`);
    }
    for (const id of dated) this.#problems.push(`not named: ${id}, dated back`);
  }
}
