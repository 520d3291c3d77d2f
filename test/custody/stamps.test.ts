import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { ProofError } from '../../src/feed/custody/check-proof.js';
import { Stamps } from '../../src/feed/custody/stamps.js';
import { resolveName, Targets } from '../../src/http/outgoing.js';
import { checkProof, logged, proofOf, PublishedLog } from '../../testkit/custody.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { operate } from '../../testkit/operator.js';
import { jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { TimeStamping } from '../../testkit/time-stamping.js';
import { checkTlogProof } from '../../testkit/tlog.js';

const stamping = await TimeStamping.start({ after });
const loopback = '127.0.0.0/8';
// Stamping is in the hands of these tests, but for one.
const service = await ownService({ after });
const { db } = service;

const folder = await temporaryDirectory('stamps');
after(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

const stampsOf = (ca: string, networks = [loopback]): Stamps =>
  new Stamps({
    db,
    url: stamping.url,
    ca,
    outgoing: {
      targets: new Targets('custody', {
        'custody.allow_http': true,
        'custody.allow_networks': networks,
      }),
      resolve: resolveName,
    },
  });

/** A minute passes. */
const later = () => rows(db, `UPDATE custody_logs SET stamp_tried_at = '-infinity'`);

const stampAll = async (stamps = stampsOf(stamping.ca)): Promise<void> => {
  await logged(db);
  await later();
  await stamps.catchUp(new AbortController().signal);
};

async function uploaded() {
  const user = await (await service.platform()).user();
  const bytes = await jpeg({ seed: 7 });
  const place = { latitude: '37.5', longitude: '127', address_road: '세종대로 110' };
  const image = await user.upload(place, bytes);
  return { user, bytes, image, proof: () => proofOf(user, image.id) };
}

describe('a time stamp', () => {
  test('is in the proof, and verified by the certificates that somebody trusts', async () => {
    const { bytes, proof, user } = await uploaded();
    await stampAll();
    const text = await proof();
    assert.ok(Buffer.byteLength(text) <= 8_192);
    const { stamp } = checkProof(text);
    assert.equal(stamp?.note, await PublishedLog.of(user.tenant).checkpoint());
    assert.ok(Math.abs(Date.parse(stamp.at) - Date.now()) < 3_600_000);
    const files = [await file('proof.txt', text), await file('picture.jpg', bytes)];
    const check = (...words: string[]) =>
      hosted(['prove', '--check', ...files, ...words, '--home', '/nonexistent', '--json']);
    const unverified = await check();
    assert.equal(unverified.code, 0, unverified.stderr);
    const { time_stamp: said } = unverified.json<{ time_stamp: unknown }>();
    assert.deepEqual(said, { at: stamp.at, verified: false });
    const verified = await check('--ca', stamping.ca);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    assert.equal(verified.json<{ time_stamp: { verified: boolean } }>().time_stamp.verified, true);
    const stranger = await TimeStamping.start({ after });
    const refused = await check('--ca', stranger.ca);
    assert.equal(refused.code, 3, refused.stderr);
    assert.match(refused.json<{ reason: string }>().reason, /time stamp is not to be trusted/);
    assert.equal((await check('--ca', join(folder, 'none'))).code, 1);
  });

  test('stays that of the first checkpoint with the image; the newest is proved as well', async () => {
    const { user, image, proof, bytes } = await uploaded();
    await stampAll();
    const [first] = [checkProof(await proof()).stamp];
    await user.upload();
    await user.upload();
    await logged(db);
    const text = await proof();
    assert.ok(Buffer.byteLength(text) <= 8_192);
    const { stamp, checkpoint } = checkProof(text, await PublishedLog.of(user.tenant).checkpoint());
    assert.equal(checkpoint.size, 3);
    assert.deepEqual(stamp, first);
    assert.match(stamp?.note ?? '', /\n1\n/);
    // Another reader checks both.
    const key = (await PublishedLog.of(user.tenant).key()).trim();
    const [, ...proofs] = text.split(/^(?=c2sp\.org\/tlog-proof@v1\n)/m);
    const { entries } = await PublishedLog.of(user.tenant).read();
    const sizes = proofs.map((one, i) => {
      const plain = one.replace(/^extra .*\n/m, '');
      const ended = i === 0 ? plain.replace(/\n$/, '') : plain;
      return checkTlogProof(ended, entries[0] ?? Buffer.alloc(0), key).size;
    });
    assert.deepEqual(sizes, [1, 3]);

    await user.put<Image>(`/images/${image.id}`, { latitude: '35', longitude: '128' });
    await logged(db);
    const changed = await proof();
    assert.equal(checkProof(changed).stamp, undefined);
    const files = [await file('changed.txt', changed), await file('it.jpg', bytes)];
    const answer = await hosted(['prove', '--check', ...files, '--ca', stamping.ca]);
    assert.equal(answer.code, 3, answer.stderr);
    assert.match(answer.stdout, /has no time stamp/);
  });

  test('with any byte changed is refused', async () => {
    const { user, proof, bytes } = await uploaded();
    await stampAll();
    await user.upload();
    await logged(db);
    const text = await proof();
    const [all, picture] = [Buffer.from(text), await file('same.jpg', bytes)];
    const start = text.indexOf('\nextra ') + 7;
    const end = text.indexOf('\n', start);
    const unnoticed: number[] = [];
    for (let at = 0; at < all.length - 1; at += 1) {
      const changed = Buffer.from(all);
      changed[at] = (changed[at] ?? 0) ^ 1;
      try {
        checkProof(changed.toString('utf8'));
        unnoticed.push(at);
      } catch (error) {
        assert.ok(error instanceof ProofError, `byte ${at}: ${String(error)}`);
      }
    }
    // What the service signs, its certificates tell.
    const token = Buffer.byteLength(text.slice(0, start));
    assert.ok(unnoticed.every((at) => at >= token && at < token + end - start));
    assert.ok(unnoticed.length > 0);
    for (const at of [unnoticed[0], unnoticed.at(-1)]) {
      const changed = Buffer.from(all);
      changed[at ?? 0] = (changed[at ?? 0] ?? 0) ^ 1;
      const proofFile = await file('changed.txt', changed);
      const { code } = await hosted(['prove', '--check', proofFile, picture, '--ca', stamping.ca]);
      assert.equal(code, 3, `byte ${at}`);
    }
  });

  test('of another checkpoint is none of this one', async () => {
    const [{ proof }, other] = [await uploaded(), await uploaded()];
    await stampAll();
    const extra = /^extra .*$/m;
    const [foreign = ''] = extra.exec(await other.proof()) ?? [];
    const text = (await proof()).replace(extra, foreign);
    assert.throws(() => checkProof(text), /something else than the checkpoint/);
  });
});

describe('a service that does not do what it should', () => {
  const changed = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes);
    const place = at < 0 ? copy.length + at : at;
    copy[place] = (copy[place] ?? 0) ^ 1;
    return copy;
  };
  const sha512 = Buffer.concat([
    Buffer.from('3055020101' + '3051300d060960864801650304020305000440', 'hex'),
    createHash('sha512').update('').digest(),
  ]);
  const ways: Readonly<Record<string, [TimeStamping['answering'], RegExp]>> = {
    'has another digest': [
      async (query, response) => response.end(await stamping.reply(changed(query, 30))),
      /message imprint mismatch/,
    ],
    'has another nonce': [
      async (query, response) => response.end(await stamping.reply(changed(query, -4))),
      /nonce mismatch/,
    ],
    'signs wrongly': [
      async (query, response) => response.end(changed(await stamping.reply(query), -1)),
      /signature failure|verify|decode/i,
    ],
    refuses: [
      async (_query, response) => response.end(await stamping.reply(sha512)),
      /no time stamp token/,
    ],
    'answers with 10 MB': [
      (_query, response) => response.end(Buffer.alloc(10 * 1024 * 1024)),
      /larger than 64 KB/,
    ],
    'answers with a page': [(_query, response) => response.end('<html>'), /./],
    'answers with 500': [
      (_query, response) => response.writeHead(500).end(),
      /the service answers 500/,
    ],
    'hangs up': [(_query, response) => response.destroy(), /./],
    'never answers': [() => undefined, /no answer within 10 s/],
  };
  const good = stamping.answering;
  after(() => {
    stamping.answering = good;
  });

  for (const [name, [answering, reason]] of Object.entries(ways)) {
    test(`${name}: is named, and holds up nothing`, async () => {
      const { user, proof } = await uploaded();
      stamping.answering = answering;
      const tried = assert.rejects(stampAll(), reason);
      const second = await user.upload(); // meanwhile
      await logged(db);
      await proofOf(user, second.id);
      await tried;
      assert.equal(checkProof(await proof()).stamp, undefined);
      const doctor = await operate(service, ['doctor', '--only', 'time-stamps']);
      assert.match(doctor.stdout, /no time stamp/);
      // Within the minute, nobody asks again; then all is well.
      stamping.answering = good;
      await stampsOf(stamping.ca).catchUp(new AbortController().signal);
      await stampAll();
      assert.ok(checkProof(await proof()).stamp);
    });
  }

  test('whose certificates lead elsewhere, or that is where requests may not go, stamps nothing', async () => {
    const stranger = await TimeStamping.start({ after });
    await uploaded();
    await assert.rejects(stampAll(stampsOf(stranger.ca)), /certificate|verify/i);
    await assert.rejects(stampAll(stampsOf(stamping.ca, [])), /custody\.allow_networks/);
    await stampAll();
  });
});

test('a log is stamped once for what it has, at most once a minute', async () => {
  const { user } = await uploaded();
  await stampAll();
  const before = stamping.asked.length;
  await stampsOf(stamping.ca).catchUp(new AbortController().signal);
  assert.equal(stamping.asked.length, before);
  await user.upload();
  await logged(db);
  await stampsOf(stamping.ca).catchUp(new AbortController().signal);
  assert.equal(stamping.asked.length, before);
  await stampAll();
  assert.equal(stamping.asked.length, before + 1);
});

test('the service stamps by itself', async () => {
  const own = await ownService(
    { after },
    {
      'custody.timestamp_url': stamping.url,
      'custody.timestamp_ca': stamping.ca,
      'custody.allow_networks': loopback,
    },
  );
  const user = await (await own.platform()).user();
  const { id } = await user.upload();
  await eventually('the proof has a time stamp', async () => {
    return checkProof(await proofOf(user, id)).stamp !== undefined;
  });
});
