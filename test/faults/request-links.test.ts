import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { Linker, Visitor } from '../../testkit/links.js';
import { jpeg } from '../../testkit/pictures.js';
import { allGone, startsOf } from '../../testkit/processes.js';
import { uploadsIn } from '../../testkit/temporary.js';
import { balance } from './accounts.js';
import { openUpload } from './raw-upload.js';

const serving = await appliance({ after });
const { home, user, databaseUrl = '' } = serving;
let folders = 1;

const links = new Linker(serving.client, user);

async function asking() {
  const { id: folder_id } = await user.folder(`접수 ${folders++}`);
  const { at } = await links.create({ kind: 'request', folder_id });
  return { at, visitor: () => new Visitor(serving.client, at) };
}

/** An upload of a visitor, of whose picture the first part has been received. */
async function begun(at: string, picture: Uint8Array, part = 0.5) {
  const upload = openUpload(serving.url, { images: `${at}/images` }, picture);
  const sent = Math.floor(picture.length * part);
  upload.write(0, sent);
  await eventually('it has begun', async () => (await uploadsIn(home.incoming)).length > 0);
  return { upload, sent };
}

const nothingLeft = () =>
  eventually('nothing is left of it', async () => (await uploadsIn(home.incoming)).length === 0);

describe('pictures sent through a link', () => {
  test('that break off leave nothing, and are stored once when they are sent again', async () => {
    const { at, visitor } = await asking();
    const picture = await jpeg({ width: 1024, height: 768, seed: 1 });
    const before = await user.count();
    for (const part of [0.1, 0.9]) {
      const { upload } = await begun(at, picture, part);
      upload.request.destroy();
      await nothingLeft();
    }
    assert.equal(await user.count(), before);
    const { id } = done(await visitor().send(picture));
    assert.equal(done(await visitor().send(picture)).id, id);
    assert.equal(await user.count(), before + 1);
    await balance(home, databaseUrl);
  });

  test('that arrive slowly are found if the same picture was quicker', async () => {
    const { at, visitor } = await asking();
    const picture = await jpeg({ width: 1024, height: 768, seed: 2 });
    const before = await user.count();
    const { upload, sent } = await begun(at, picture);
    const { id } = done(await visitor().send(picture));
    const step = Math.ceil((picture.length - sent) / 20);
    for (let from = sent; from < picture.length; from += step) {
      upload.write(from, Math.min(from + step, picture.length));
      done(await visitor().link()); // a request later
    }
    upload.end();
    const late = await upload.answer;
    assert.deepEqual([late.status, late.result.id], [200, id]);
    assert.equal(await user.count(), before + 1);
    await nothingLeft();
  });

  test('while the service is killed: what was acknowledged is stored, and everything is found once', async () => {
    const { at, visitor } = await asking();
    const pictures = await Promise.all(
      Array.from({ length: 60 }, (_, i) => jpeg({ width: 800, height: 600, seed: 10 + i })),
    );
    const before = await user.count();
    const running = startsOf(await serving.processes());
    let killed: Promise<void> | undefined;
    const { upload: half } = await begun(at, pictures[0] ?? Buffer.alloc(0));
    const arrived = new Map<number, string>();
    let next = 1;
    const lane = async (): Promise<void> => {
      while (next < pictures.length) {
        const i = next++;
        const { status, result } = await visitor().send(pictures[i] ?? Buffer.alloc(0));
        if (status === 200) arrived.set(i, result.id);
        if (arrived.size === 6) killed ??= serving.kill();
      }
    };
    const lanes = await Promise.allSettled([lane(), lane(), lane()]);
    await killed;
    assert.ok(
      lanes.every(({ status }) => status === 'rejected'),
      'it was killed while they sent',
    );
    await assert.rejects(half.answer);
    await eventually('all are gone', async () => allGone(running));

    await serving.restart();
    assert.deepEqual(await uploadsIn(home.incoming), []);
    const stored = (await user.count()) - before;
    assert.ok(stored >= arrived.size && stored < pictures.length, `${stored} stored`);
    const ids: string[] = [];
    for (const picture of pictures) ids.push(done(await visitor().send(picture)).id);
    for (const [i, id] of arrived) assert.equal(ids[i], id);
    assert.equal(new Set(ids).size, pictures.length);
    assert.equal((await user.count()) - before, pictures.length);
    await balance(home, databaseUrl);
  });
});
