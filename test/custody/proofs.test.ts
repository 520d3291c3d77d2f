import assert from 'node:assert/strict';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { column, onlyValue, rows } from '../../src/database/sql.js';
import { ProofError } from '../../src/feed/custody/check-proof.js';
import { checkProof, logged, proofOf, PublishedLog } from '../../testkit/custody.js';
import { done, nobody, refused } from '../../testkit/expect.js';
import { fails } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import { seedImages } from '../../testkit/image-rows.js';
import { jpeg } from '../../testkit/pictures.js';
import { operate } from '../../testkit/operator.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { checkTlogProof, rootAt } from '../../testkit/tlog.js';
import type { Member } from '../../testkit/world.js';

const service = await ownService({ after });
const { db, client } = service;

const folder = await temporaryDirectory('proofs');
after(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const picture = () => jpeg({ seed: randomInt(1_000_000) });

const kindsOf = (proof: string): string[] => checkProof(proof).entries.map(({ kinds }) => kinds);

async function owner(): Promise<Member> {
  return (await service.platform()).user();
}

describe('the proof of an image', () => {
  test('has everything that has happened to it, and another reader finds it in the log', async () => {
    const user = await owner();
    const [before, later] = [await user.folder('before'), await user.folder('later')];
    const bytes = await picture();
    const image = await user.upload(
      {
        folder_id: before.id,
        latitude: '37.5665',
        longitude: '126.978',
        address_road: '세종대로 110',
      },
      bytes,
    );
    const path = `/images/${image.id}`;
    const edited = await picture();
    await user.edit(image, edited);
    await user.put<Image>(path, { latitude: '35.1', longitude: '129.04' });
    await user.put<Image>(path, { address_road: 'Haeundae-ro 2' });
    await rows(db, `UPDATE images SET taken_at = '2026-01-01' WHERE id = $1`, [image.id]);
    await user.put<Image>(path, { folder_id: later.id });
    await user.put<Image>(path, { is_shared: 'True' }); // is nothing of it
    const hold = done(
      await user.tenant.call<{ id: string }>('POST', '/holds', {
        form: { reason: 'claim', folder_id: later.id },
      }),
    );
    await user.trash(image);
    await user.put<Image>(path, { delete: 'False' });
    done(await user.tenant.call('DELETE', `/holds/${hold.id}`));
    await logged(db);

    const proof = await proofOf(user, image.id);
    assert.ok(Buffer.byteLength(proof) <= 8_192);
    const { entries, imageId, checkpoint, key } = checkProof(proof);
    assert.equal(imageId, image.id);
    assert.deepEqual(
      entries.map(({ kinds }) => kinds).join(),
      `upload,version,place,address,time,move,hold ${hold.id},trash,restore,release ${hold.id}`,
    );
    const hashes = [bytes, edited].map((one) => createHash('sha256').update(one).digest('hex'));
    const values = (word: string) => [...new Set(entries.map(({ state }) => state.get(word)))];
    assert.deepEqual(
      values('content'),
      hashes.map((hash, n) => `${n} ${hash}`),
    );
    assert.deepEqual(values('place'), ['37.5665 126.978', '35.1 129.04']);
    assert.deepEqual(values('folder'), [before.id, later.id]);
    assert.deepEqual(
      entries.flatMap(({ address }) => (address === undefined ? [] : [address])),
      [
        '["세종대로 110", null, null, null, null, null]',
        '["Haeundae-ro 2", null, null, null, null, null]',
      ],
    );

    const log = PublishedLog.of(user.tenant);
    assert.equal(await log.key(), `${key}\n`);
    const { head, entries: leaves } = await log.read();
    assert.equal(head.size, checkpoint.size);
    const tlogProof = proof.slice(proof.indexOf('c2sp.org/'));
    const index = Number(/\nindex (\d+)\n/.exec(tlogProof)?.[1]);
    assert.deepEqual(checkTlogProof(tlogProof, leaves[index] ?? Buffer.alloc(0), key), head);
  });

  test('is checked without a home, with the picture', async () => {
    const user = await owner();
    const bytes = await picture();
    const image = await user.upload({}, bytes);
    const edited = await picture();
    await user.edit(image, edited);
    await logged(db);
    const proof = await file('proof.txt', await proofOf(user, image.id));
    const [original, current, other] = [
      await file('original.jpg', bytes),
      await file('current.jpg', edited),
      await file('other.jpg', await picture()),
    ];
    const checkpoint = await file(
      'checkpoint.txt',
      await PublishedLog.of(user.tenant).checkpoint(),
    );
    const home = ['--home', '/nonexistent', '--json'];
    const check = (...args: string[]) => hosted(['prove', '--check', proof, ...args, ...home]);

    const found = await check(current, '--checkpoint', checkpoint);
    assert.equal(found.code, 0, found.stderr);
    const { version, is_current, image_id } = found.json<Record<string, unknown>>();
    assert.deepEqual(
      { version, is_current, image_id },
      { version: 1, is_current: true, image_id: image.id },
    );
    const earlier = (await check(original)).json<Record<string, unknown>>();
    assert.deepEqual([earlier.version, earlier.is_current], [0, false]);
    const refusedOther = await check(other);
    assert.equal(refusedOther.code, 3);
    assert.match(refusedOther.json<{ reason: string }>().reason, /another picture/);

    const printed = await operate(service, ['prove', image.id]);
    assert.deepEqual(printed.json<{ proof: string }>().proof, await proofOf(user, image.id));
  });

  test('beyond 20 entries has the first and the newest 19, or all', async () => {
    const user = await owner();
    const bytes = await picture();
    const { id } = await user.upload({}, bytes);
    for (let n = 0; n < 24; n += 1) {
      await user.put<Image>(`/images/${id}`, { latitude: `${n}`, longitude: '127' });
    }
    await logged(db);
    const usual = checkProof(await proofOf(user, id));
    assert.equal(usual.entries.length, 20);
    assert.equal(usual.entries[0]?.kinds, 'upload');
    assert.deepEqual(
      usual.entries.map(({ skipped }) => skipped).filter((n) => n > 0),
      [5],
    );
    assert.equal(usual.entries[1]?.state.get('place'), '5 127');
    const all = checkProof(await proofOf(user, id, { full: 'True' }));
    assert.equal(all.entries.length, 25);
    // Nothing connects the first with the others but its own path.
    const without = (await proofOf(user, id)).replace(/\n index .*/, '');
    assert.throws(() => checkProof(without), ProofError);
  });

  test('has at most 8 KB, whatever was written on the image', async () => {
    const user = await owner();
    const { id } = await user.upload();
    for (let n = 0; n < 21; n += 1) {
      const address = { address_road: `${n} ${'길'.repeat(80)}`, address_det: '동'.repeat(80) };
      await user.put<Image>(`/images/${id}`, { ...address, latitude: `${n}`, longitude: '127' });
    }
    await logged(db);
    const proof = await proofOf(user, id);
    assert.ok(Buffer.byteLength(proof) <= 8_192);
    const { entries } = checkProof(proof);
    assert.match(entries.at(-1)?.address ?? '', /^\["20 길/);
    assert.equal(entries[0]?.kinds, 'upload');
  });

  test('is its owner’s alone, and says when it is not there yet', async () => {
    const [user, stranger] = [await owner(), await owner()];
    const { id } = await user.upload();
    await logged(db);
    const get = (path: string, member: Member) => client.get(path, { as: ['User', member.token] });
    refused(await get(`${stranger.images}/${id}/proof`, stranger), 400, 'image_not_found');
    refused(await get(`${user.images}/${id}/proof`, stranger), 403, 'forbidden');
    refused(await get(`${user.images}/${nobody}/proof`, user), 400, 'image_not_found');
    refused(await get(`${user.images}/me/proof`, user), 400, 'image_not_found');
    await fails(operate(service, ['prove', nobody]), 1, {
      code: 'image_not_found',
      remedy: 'audit --user ID --changes',
    });
    const move = 'UPDATE custody_history SET image_id = $2 WHERE image_id = $1';
    await rows(db, move, [id, nobody]);
    const early = await get(`${user.images}/${id}/proof`, user);
    refused(early, 503, 'unavailable');
    assert.equal(early.headers.get('retry-after'), '5');
    await rows(db, move, [nobody, id]);
  });
});

describe('what proves nothing is refused', () => {
  const made = async () => {
    const user = await owner();
    const bytes = await picture();
    const { id } = await user.upload(
      { latitude: '37', longitude: '127', address_road: 'a' },
      bytes,
    );
    await user.put<Image>(`/images/${id}`, { address_det: 'b' });
    await logged(db);
    return { user, id, proof: await proofOf(user, id) };
  };

  test('with any byte changed', async () => {
    const { proof } = await made();
    checkProof(proof);
    const bytes = Buffer.from(proof);
    // A byte of the last line is not signed: that of the line break.
    for (let at = 0; at < bytes.length - 1; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => checkProof(changed.toString('utf8')), ProofError, `byte ${at}`);
    }
  });

  test('with a line more or less, or of another proof', async () => {
    const [{ proof }, { proof: other }] = [await made(), await made()];
    const [lines, others] = [proof.split('\n'), other.split('\n')];
    for (let at = 0; at < lines.length - 1; at += 1) {
      const less = lines.toSpliced(at, 1).join('\n');
      const more = lines.toSpliced(at, 0, lines[at] ?? '').join('\n');
      const foreign = lines.with(at, others[at] ?? '').join('\n');
      for (const changed of [less, more, foreign]) {
        if (changed === proof) continue;
        if (/^ text /.test(lines[at] ?? '') && changed === less) continue; // its hash stays
        if (/^ text /.test(lines[at] ?? '') && changed === more) continue;
        const same = lines[at] === '' || changed === more;
        try {
          checkProof(changed);
          // A line of the state said twice says the same.
          assert.ok(
            same && changed === more && /^[ —]/.test(lines[at] ?? ''),
            `line ${at}: ${lines[at]}`,
          );
        } catch (error) {
          assert.ok(error instanceof ProofError, `line ${at}: ${String(error)}`);
        }
      }
    }
  });

  test('of another installation, another size, another history', async () => {
    const { user, id, proof } = await made();
    const own = await PublishedLog.of(user.tenant).checkpoint();
    checkProof(proof, own);
    const stranger = await owner();
    await stranger.upload();
    await user.upload();
    await logged(db);
    const elsewhere = await PublishedLog.of(stranger.tenant).checkpoint();
    assert.throws(() => checkProof(proof, elsewhere), /is of the log/);
    const later = await PublishedLog.of(user.tenant).checkpoint();
    assert.throws(() => checkProof(proof, later), /is of 2 entries, the checkpoint of 3/);
    assert.throws(() => checkProof(proof, 'nothing'), /is none/);
    const [origin, size] = own.split('\n');
    const forked = `${origin}\n${size}\n${randomBytes(32).toString('base64')}\n`;
    assert.throws(() => checkProof(proof, forked), /another history/);
    checkProof(await proofOf(user, id), later);
  });

  test('of 100 MB, of nothing, of anything', async () => {
    const { proof } = await made();
    const path = await file('picture.jpg', await picture());
    const tried = async (content: string | Uint8Array) =>
      hosted(['prove', '--check', await file('bad.txt', content), path, '--home', '/nonexistent']);
    const large = await tried(Buffer.alloc(100 * 1024 * 1024, `${proof}\n`));
    assert.equal(large.code, 1);
    assert.match(large.stderr, /too large/);
    for (const bad of [
      '',
      '\n\n\n',
      randomBytes(4_096),
      proof.slice(0, -400),
      proof.replaceAll('\n', '\r\n'),
    ]) {
      const answer = await tried(bad);
      assert.equal(answer.code, 3, answer.stdout + answer.stderr);
      assert.match(answer.stdout, /^Proves nothing: /);
    }
    const none = await hosted(['prove', '--check', join(folder, 'none'), path]);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /Cannot read/);
  });
});

describe('a log', () => {
  test('is the platform’s, unless it publishes it', async () => {
    const user = await owner();
    const { tenant } = user;
    await user.upload();
    await logged(db);
    const [own, foreign, open] = [
      PublishedLog.of(tenant),
      new PublishedLog(client, tenant.id, ['Platform', (await service.platform()).token]),
      new PublishedLog(client, tenant.id),
    ];
    for (const path of ['checkpoint', 'key', 'tile/0/000.p/1', 'tile/entries/000.p/1']) {
      assert.equal((await own.raw(path)).status, 200, path);
      assert.equal((await foreign.raw(path)).status, 403, path);
      assert.equal((await open.raw(path)).status, 401, path);
    }
    await operate(service, ['custody', 'publish', tenant.id]);
    await open.read();
    assert.equal((await foreign.raw('key')).status, 403);
    await operate(service, ['custody', 'hide', tenant.id]);
    assert.equal((await open.raw('checkpoint')).status, 401);
  });

  test('has no tiles but those of its size', async () => {
    const user = await owner();
    await seedImages(
      service,
      user,
      Array.from({ length: 600 }, () => ({})),
    );
    await logged(db);
    const log = PublishedLog.of(user.tenant);
    const { head, entries } = await log.read();
    assert.equal(head.size, 600);
    assert.equal(rootAt(entries, 600), head.root);
    for (const path of [
      'tile/0/000',
      'tile/0/002.p/88',
      'tile/0/002.p/1',
      'tile/1/000.p/2',
      'tile/entries/001',
    ]) {
      assert.equal((await log.raw(path)).status, 200, path);
    }
    const none = `0/002 0/002.p/89 0/003.p/1 1/000 1/000.p/3 2/000.p/1 0/0 0/x000/000 00/000 64/000 -1/000
      0/000.p/0 0/000.p/256 0/000.p/01 0/000/1 0/x999/x999/x999/x999/x999/999 entries`;
    for (const path of none.split(/\s+/).map((name) => `tile/${name}`)) {
      assert.equal((await log.raw(path)).status, 404, path);
    }
  });

  test('of a platform that is deleted, or never was, is not there', async () => {
    const gone = new PublishedLog(client, nobody);
    assert.equal((await gone.raw('checkpoint')).status, 401);
  });
});

test('a user’s salts go with the user; what was proved before stays proved', async () => {
  const user = await owner();
  const image = await user.upload({ latitude: '37', longitude: '127' });
  await logged(db);
  const proof = await proofOf(user, image.id);
  const log = PublishedLog.of(user.tenant);
  const { head, entries } = await log.read();
  done(await user.delete(''));
  await logged(db);
  assert.deepEqual(
    await column(db, 'SELECT salt FROM custody_salts WHERE user_id = $1', [user.id]),
    [],
  );
  assert.equal(
    await onlyValue(db, 'SELECT count(*)::int FROM custody_history WHERE image_id = $1', [
      image.id,
    ]),
    0,
  );
  assert.deepEqual(kindsOf(proof), ['upload']);
  const now = await log.read();
  assert.equal(now.head.size, head.size + 1);
  assert.equal(rootAt(now.entries, head.size), head.root);
  assert.deepEqual(now.entries.slice(0, head.size), entries);
  // The deletion says of which entry it is the end, and nothing else.
  const last = now.entries.at(-1);
  assert.ok(last?.subarray(32).equals(Buffer.alloc(32)));
  const verified = await operate(service, ['custody', 'verify']);
  assert.equal(verified.code, 0, verified.stdout);
});
