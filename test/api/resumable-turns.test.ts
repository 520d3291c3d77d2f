import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { Upload } from 'tus-js-client';
import { ServiceError } from '../../src/base/errors/catalogue.js';
import { WallClock } from '../../src/base/time.js';
import { JoiningDatabase } from '../../src/database/joint-transaction.js';
import { onlyValue, rows, value } from '../../src/database/sql.js';
import { KeyLocks } from '../../src/http/idempotency/key-locks.js';
import { Annotations } from '../../src/library/annotations/annotations.js';
import { Refusals } from '../../src/library/images/upload/refusals.js';
import { Uploads } from '../../src/library/images/upload/uploads.js';
import { LinkRequests } from '../../src/library/links/requests.js';
import { VisitSecrets } from '../../src/library/links/visit-secrets.js';
import { Usage } from '../../src/library/quota/usage.js';
import { expireUploads } from '../../src/library/resumable/upkeep.js';
import { ResumableUploads } from '../../src/library/resumable/resumable-uploads.js';
import { UploadTurns } from '../../src/library/resumable/turns.js';
import { verifyStatistics } from '../../src/ops/verify/verify.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import { longOnly } from '../../testkit/long-form.js';
import { picture, type Member } from '../../testkit/world.js';
import { ownService } from '../../testkit/service.js';
import { logger } from '../../testkit/silent-logger.js';
import { uploadsIn } from '../../testkit/temporary.js';
import { TusClient } from '../../testkit/tus.js';

const service = await ownService({ after });
const { db, home } = service;
const { imaging, store } = service.service;

const sender = async (): Promise<{ user: Member; tus: TusClient }> => {
  const user = await service.user();
  return { user, tus: new TusClient(service.client.base, user) };
};

const idOf = (upload: string): string => upload.split('/').at(-1) ?? '';

const piecesOf = (upload: string) =>
  rows<{ start: number; bytes: number; key: string }>(
    db,
    'SELECT start, bytes, key FROM resumable_pieces WHERE upload_id = $1 ORDER BY start',
    [idOf(upload)],
  );

const images = (user: Member): Promise<number> =>
  onlyValue(db, 'SELECT count(*)::int AS n FROM images WHERE user_id = $1', [user.id]);

/** A request that has begun to send bytes, of which this node has received some. */
async function sending(tus: TusClient, upload: string, bytes: Buffer, from: number, to: number) {
  const before = (await uploadsIn(home.incoming)).length;
  const opened = tus.openPatch(upload, from, bytes.length - from);
  // Once they are with the kernel, they arrive even if the connection ends then.
  await new Promise((resolve) => opened.request.write(bytes.subarray(from, to), resolve));
  await eventually('it has begun', async () => (await uploadsIn(home.incoming)).length > before);
  return opened;
}

const clock = new WallClock('Asia/Seoul');
const joining = new JoiningDatabase(db);
const usage = new Usage(joining);
const locks = new KeyLocks(db);
after(() => locks.close());

/** The uploads as another process of the service sees them. */
function elsewhere(turns = new UploadTurns(locks)): ResumableUploads {
  const limits = { memos: 10, customs: 10, textBytes: 1_000 };
  const annotations = new Annotations(joining, clock, limits);
  const refusals = new Refusals(db, logger);
  const parts = { db: joining, imaging, store, usage, annotations, clock, refusals };
  const uploads = new Uploads(parts);
  const secrets = new VisitSecrets(randomBytes(32));
  const disk = { assertFree: () => Promise.resolve() };
  return new ResumableUploads({
    ...parts,
    uploads,
    requests: new LinkRequests({ db: joining, secrets, uploads }),
    keys: undefined as never,
    turns,
    staging: { incoming: home.incoming, maxBytes: 1e9, disk },
    maxOpen: 10,
    isLocal: () => true,
    hours: { open: 24, over: 72 },
  });
}

/** Makes imaging fail while `work` runs. */
async function withoutImaging<T>(work: () => Promise<T>): Promise<T> {
  const process = imaging.process.bind(imaging);
  imaging.process = () => Promise.reject(new ServiceError('unavailable'));
  try {
    return await work();
  } finally {
    imaging.process = process;
  }
}

describe('a request that breaks off', () => {
  test('leaves what has arrived, and the next one goes on there', async () => {
    const { user, tus } = await sender();
    const bytes = await picture({ width: 600, height: 400 });
    const upload = await tus.begin(bytes.length);
    const half = Math.floor(bytes.length / 2);
    const broken = await sending(tus, upload, bytes, 0, half);
    broken.request.destroy();
    await eventually('it is saved', async () => (await tus.offset(upload)) === half);
    const last = await tus.patch(upload, half, bytes.subarray(half));
    const image = await user.image(String(last.headers['upload-image-id']));
    assert.equal(image.hashdata, sha256(bytes));
    assert.deepEqual(await uploadsIn(home.incoming), []);
  });

  test('after its last byte stores the image; its client learns of it by HEAD', async () => {
    const { user, tus } = await sender();
    const bytes = await picture();
    const upload = await tus.begin(bytes.length);
    const lost = tus.openPatch(upload, 0, bytes.length);
    lost.request.end(bytes);
    await once(lost.request, 'finish');
    lost.request.destroy();
    let head = await tus.head(upload);
    // Whatever arrived of it: nothing, or everything.
    if (head.headers['upload-image-id'] === undefined) {
      await tus.patch(
        upload,
        Number(head.headers['upload-offset']),
        bytes.subarray(Number(head.headers['upload-offset'])),
      );
      head = await tus.head(upload);
    }
    assert.equal(head.headers['upload-offset'], String(bytes.length));
    assert.equal(
      (await user.image(String(head.headers['upload-image-id']))).hashdata,
      sha256(bytes),
    );
    assert.equal(await images(user), 1);
  });

  test('every few hundred bytes sends each byte about once', async () => {
    const { user, tus } = await sender();
    const bytes = await picture({ width: 600, height: 400 });
    const upload = await tus.begin(bytes.length);
    const step = Math.ceil(bytes.length / 12);
    let sent = 0;
    let unread = 0;
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(at + step, bytes.length);
      sent += end - at;
      if (end === bytes.length) {
        await tus.patch(upload, at, bytes.subarray(at));
        break;
      }
      const broken = await sending(tus, upload, bytes, at, end);
      broken.request.destroy();
      const from = at;
      await eventually('it has ended', async () => (await uploadsIn(home.incoming)).length === 0);
      await eventually('it is free', async () => (await tus.head(upload)).status === 200);
      at = await tus.offset(upload);
      if (at > from) continue;
      // On a busy machine, a line may break before what it carried is read.
      sent -= end - from;
      unread += 1;
      assert.ok(unread < 6, 'what has arrived is saved');
    }
    assert.ok(sent <= bytes.length * 1.1, `${sent} of ${bytes.length}`);
    const [image] = (await user.list()).items;
    assert.equal(image?.hashdata, sha256(bytes));
  });

  test('with a checksum leaves nothing', async () => {
    const { tus } = await sender();
    const bytes = await picture();
    const upload = await tus.begin(bytes.length);
    const checksum = { 'upload-checksum': `sha256 ${randomBytes(32).toString('base64')}` };
    const broken = tus.openPatch(upload, 0, bytes.length, checksum);
    broken.request.write(bytes.subarray(0, 600));
    await eventually('it has begun', async () => (await uploadsIn(home.incoming)).length > 0);
    broken.request.destroy();
    await eventually('it ends', async () => (await uploadsIn(home.incoming)).length === 0);
    assert.equal(await tus.offset(upload), 0);
  });
});

describe('two requests to one upload', () => {
  test('a silent one gives way; the new one finds another offset', async () => {
    const { user, tus } = await sender();
    const bytes = await picture();
    const upload = await tus.begin(bytes.length);
    const silent = await sending(tus, upload, bytes, 0, 400);
    const late = await tus.patch(upload, 0, bytes);
    assert.deepEqual([late.status, late.code], [409, 'wrong_offset']);
    const answer = await silent.answer;
    assert.deepEqual([answer.status, answer.headers['upload-offset']], [204, '400']);
    silent.request.destroy();
    assert.equal((await tus.patch(upload, 400, bytes.subarray(400))).status, 204);
    assert.equal(await images(user), 1);
  });

  test('of two at once at most one succeeds, of ten as well', async () => {
    for (const count of [2, 10]) {
      const { user, tus } = await sender();
      const bytes = await picture();
      const upload = await tus.begin(bytes.length);
      const answers = await Promise.all(
        Array.from({ length: count }, () => tus.patch(upload, 0, bytes)),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [204, ...Array.from({ length: count - 1 }, () => 409)]);
      assert.equal(await images(user), 1);
    }
  });

  test('one that is not silent is waited for; DELETE comes after it', async () => {
    const { user, tus } = await sender();
    const bytes = await picture();
    const upload = await tus.begin(bytes.length);
    const last = await sending(tus, upload, bytes, 0, bytes.length - 1);
    const ended = tus.send('DELETE', upload);
    last.request.end(bytes.subarray(-1));
    const [stored, deleted] = await Promise.all([last.answer, ended]);
    assert.equal(stored.status, 204);
    assert.equal(deleted.status, 204);
    assert.equal(deleted.headers['upload-image-id'], stored.headers['upload-image-id']);
    assert.equal(await images(user), 1, 'the image stays');
    assert.equal((await tus.head(upload)).status, 410);
  });

  test('too many waiting ones are refused at once', async () => {
    const { tus } = await sender();
    const bytes = await picture();
    const upload = await tus.begin(bytes.length);
    const turns = new UploadTurns(locks);
    await turns
      .run(idOf(upload), '', new AbortController().signal, async () => {
        const asked = Array.from({ length: 18 }, () => tus.head(upload));
        const first = await Promise.race(asked);
        assert.equal(first.status, 423);
        assert.equal(first.headers['retry-after'], '5');
        return Promise.resolve(asked);
      })
      .then((asked) => Promise.all(asked));
    assert.equal(await tus.offset(upload), 0, 'the lock is free again');
  });

  test('many wait for one of the same process, without a warning of leaks', async () => {
    const turns = new UploadTurns(locks);
    const upload = randomUUID();
    const { signal } = new AbortController();
    let waiting = 0;
    let others: Promise<void>[] = [];
    await turns.run(upload, 'first', signal, async (turn) => {
      const ends = turn.ends.bind(turn);
      turn.ends = () => ((waiting += 1), ends());
      const next = () => turns.run(upload, 'other', signal, async () => undefined);
      others = Array.from({ length: 12 }, next);
      await eventually('all wait', async () => waiting >= others.length);
    });
    await Promise.all(others);
  });

  /** A request on another node that has the turn, does not end, and cannot be asked to. */
  const held = async (upload: string): Promise<() => Promise<void>> => {
    const node = new KeyLocks(db);
    const release = await node.tryLock(`upload ${idOf(upload)}`);
    assert.ok(release);
    return async () => {
      await release();
      await node.close();
    };
  };

  test('one that waited its time for another is refused, nothing is taken, and the next is not', async () => {
    const { user, tus } = await sender();
    const bytes = await picture();
    const upload = await tus.begin(bytes.length);
    const release = await held(upload);
    let tries = 0;
    const counted = { tryLock: (key: string) => ((tries += 1), locks.tryLock(key)) };
    const impatient = elsewhere(new UploadTurns(counted, 400));
    const owner = { platformId: user.tenant.id, userId: user.id };
    const { signal } = new AbortController();
    const read = (): AsyncIterable<Buffer> => assert.fail('its body is not asked for');
    const body = { bytes: bytes.length, type: '', read };
    // More than may wait at a time: those before no longer count.
    for (let group = 0; group < 2; group += 1) {
      const refusals = await Promise.all(
        Array.from({ length: 16 }, () =>
          impatient
            .receive(owner, idOf(upload), { offset: 0, checksum: undefined, body, signal })
            .then(
              () => undefined,
              (error: unknown) => error,
            ),
        ),
      );
      for (const error of refusals) {
        assert.ok(error instanceof ServiceError, String(error));
        assert.deepEqual([error.code, error.status, error.retryAfter], ['upload_locked', 423, 5]);
      }
    }
    assert.ok(tries >= 2 * 32, 'each has tried again');
    await release();
    assert.equal(await tus.offset(upload), 0);
    assert.equal((await tus.patch(upload, 0, bytes)).status, 204);
    assert.equal(await images(user), 1);
  });

  test('a PATCH that has waited for half a minute gets 423', longOnly, async () => {
    const { tus } = await sender();
    const upload = await tus.begin(1_000);
    const release = await held(upload);
    const answer = await tus.patch(upload, 0, Buffer.alloc(1_000));
    assert.deepEqual([answer.status, answer.code], [423, 'upload_locked']);
    assert.equal(answer.headers['retry-after'], '5');
    await release();
    assert.equal(await tus.offset(upload), 0);
  });

  test('a lock ends with the connection that holds it', async () => {
    const { tus } = await sender();
    const upload = await tus.begin(100);
    const dying = new KeyLocks(db);
    const held = await dying.tryLock(`upload ${idOf(upload)}`);
    assert.ok(held);
    const head = tus.head(upload);
    await dying.close();
    assert.equal((await head).status, 200);
  });
});

describe('an upload whose bytes are all there', () => {
  const complete = async () => {
    const { user, tus } = await sender();
    const bytes = await picture();
    const upload = await tus.begin(bytes.length);
    const failed = await withoutImaging(() => tus.patch(upload, 0, bytes));
    assert.deepEqual([failed.status, failed.code], [503, 'unavailable']);
    assert.ok(failed.headers['retry-after']);
    assert.equal(await images(user), 0);
    return { user, tus, bytes, upload };
  };

  test('is stored by the next HEAD, GET or PATCH', async () => {
    for (const method of ['HEAD', 'GET', 'PATCH'] as const) {
      const { user, tus, bytes, upload } = await complete();
      const unavailable = await withoutImaging(() => tus.head(upload));
      assert.equal(unavailable.status, 423, 'clients begin anew on any other error');
      const answer = await tus.send(method, upload, {
        'upload-offset': String(bytes.length),
        'content-type': 'application/offset+octet-stream',
      });
      assert.ok(answer.status < 300, `${method} ${answer.status}`);
      const { headers } = await tus.head(upload);
      assert.equal((await user.image(String(headers['upload-image-id']))).hashdata, sha256(bytes));
      assert.equal(await images(user), 1);
      assert.deepEqual(await piecesOf(upload), []);
    }
  });

  test('is not begun anew by a client that asks while it cannot be stored', async () => {
    const { user, tus, bytes, upload } = await complete();
    let comesBack = (): void => undefined;
    const away = withoutImaging(() => new Promise<void>((resolve) => (comesBack = resolve)));
    const statuses: number[] = [];
    await new Promise<unknown>((resolve, reject) => {
      const client = new Upload(bytes, {
        endpoint: `${tus.base}/api/v1/users/${user.id}/uploads`,
        uploadUrl: tus.base + upload,
        headers: { Authorization: `User ${user.token}` },
        retryDelays: [0, 0, 0],
        onAfterResponse: (_request, response) => {
          statuses.push(response.getStatus());
          comesBack();
        },
        onError: reject,
        onSuccess: resolve,
      });
      client.start();
    }).finally(comesBack);
    await away;
    assert.deepEqual(statuses, [423, 200]);
    assert.equal(await images(user), 1);
  });

  test('is stored by the job, once', async () => {
    const { user, tus, upload } = await complete();
    const results = await Promise.all([
      elsewhere().finishComplete(new AbortController().signal),
      tus.head(upload),
    ]);
    assert.equal(results[0].failed, 0);
    assert.equal(await images(user), 1);
    const failing = await complete();
    const failed = await withoutImaging(() =>
      elsewhere().finishComplete(new AbortController().signal),
    );
    assert.deepEqual(failed, { stored: 0, refused: 0, failed: 1 });
    const retried = await elsewhere().finishComplete(new AbortController().signal);
    assert.deepEqual(retried, { stored: 1, refused: 0, failed: 0 });
    assert.equal(await images(failing.user), 1);
  });

  test('goes back if a piece is lost', async () => {
    const { user, tus, bytes, upload } = await complete();
    const [piece] = await piecesOf(upload);
    await store.delete([piece?.key ?? '']);
    // 200 if the service's own job has found that just now.
    assert.match(String((await tus.head(upload)).status), /^(423|200)$/);
    assert.equal(await tus.offset(upload), 0);
    await tus.patch(upload, 0, bytes);
    assert.equal(await images(user), 1);
  });
});

describe('pieces', () => {
  test('are saved every 8 MiB while a request goes on, and known to verify', async () => {
    const { user, tus } = await sender();
    const bytes = randomBytes(20 * 2 ** 20);
    const upload = await tus.begin(bytes.length);
    const open = tus.openPatch(upload, 0, bytes.length);
    open.request.write(bytes.subarray(0, 17 * 2 ** 20));
    await eventually('two are saved', async () => (await piecesOf(upload)).length === 2);
    const report = await verifyStatistics({ db, store, report: () => undefined });
    assert.equal(report.ok, true, JSON.stringify(report));
    open.request.destroy();
    await eventually('the rest is saved', async () => (await piecesOf(upload)).length === 3);
    const pieces = await piecesOf(upload);
    assert.deepEqual(
      pieces.map(({ start }) => start),
      [0, pieces[0]?.bytes, Number(pieces[0]?.bytes) + Number(pieces[1]?.bytes)],
    );
    const offset = await tus.offset(upload);
    const refused = await tus.patch(upload, offset, bytes.subarray(offset));
    assert.equal(refused.code, 'unsupported_image');
    assert.equal(await images(user), 0);
    await assertAccounts(service);
  });

  test('are saved every few seconds over a slow line', async () => {
    const { tus } = await sender();
    const bytes = randomBytes(2 ** 20);
    const upload = await tus.begin(bytes.length);
    const open = tus.openPatch(upload, 0, bytes.length);
    let sent = 0;
    await eventually('one is saved while the request goes on', async () => {
      if (sent < bytes.length - 4_000) open.request.write(bytes.subarray(sent, (sent += 4_000)));
      return (await piecesOf(upload)).length > 0;
    });
    assert.ok(sent < bytes.length, 'before its end');
    open.request.destroy();
  });

  test('that are many and small are joined', async () => {
    const { user, tus } = await sender();
    const bytes = await picture({ width: 600, height: 400 });
    const upload = await tus.begin(bytes.length);
    for (let at = 0; at < 105; at += 1) {
      assert.equal((await tus.patch(upload, at, bytes.subarray(at, at + 1))).status, 204);
    }
    assert.ok((await piecesOf(upload)).length < 10);
    const last = await tus.patch(upload, 105, bytes.subarray(105));
    assert.equal(
      (await user.image(String(last.headers['upload-image-id']))).hashdata,
      sha256(bytes),
    );
  });

  test('are deleted with their user', async () => {
    const { user, tus } = await sender();
    const upload = await tus.begin(1_000);
    await tus.patch(upload, 0, Buffer.alloc(10));
    const [piece] = await piecesOf(upload);
    done(await user.delete(''));
    assert.deepEqual(await piecesOf(upload), []);
    const queued = await value(db, 'SELECT true AS queued FROM object_reclaim WHERE key = $1', [
      piece?.key,
    ]);
    assert.equal(queued, true);
  });
});

describe('an upload that nobody continues', () => {
  const expire = () => expireUploads({ db, hours: 72 });
  const overdue = (upload: string) =>
    rows(db, `UPDATE resumable_uploads SET expires_at = now() - interval '1 s' WHERE id = $1`, [
      idOf(upload),
    ]);

  test('ends, gives back what it announced, and is forgotten', async () => {
    const { user, tus } = await sender();
    const upload = await tus.begin(1_000);
    await tus.patch(upload, 0, Buffer.alloc(10));
    await overdue(upload);
    assert.equal((await tus.head(upload)).status, 410, 'before the job has run');
    await new UploadTurns(locks).run(idOf(upload), '', new AbortController().signal, async () => {
      assert.deepEqual(await expire(), { ended: 0, forgotten: 0 }, 'a request writes to it');
    });
    assert.deepEqual(await expire(), { ended: 1, forgotten: 0 });
    assert.deepEqual(await piecesOf(upload), []);
    assert.equal((await tus.head(upload)).status, 410);
    await overdue(upload);
    assert.deepEqual(await expire(), { ended: 0, forgotten: 1 });
    assert.equal((await tus.head(upload)).status, 404);
    const left = await onlyValue(db, 'SELECT announced_bytes FROM users WHERE id = $1', [user.id]);
    assert.equal(left, 0);
  });
});
