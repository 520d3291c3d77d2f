import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readSentinel, writeSentinel } from '../../src/store/sentinel.js';
import { bytesOf, incomingFile, listed, newKey, putBytes } from '../../testkit/store/harness.js';
import { makeLocalStore, type LocalHarness } from '../../testkit/store/local-harness.js';
import { temporaryDisk } from '../../testkit/temporary.js';

/** Another file system than that of the temporary directory, if the machine has one. */
async function otherFileSystem(): Promise<string | undefined> {
  const here = await makeLocalStore();
  const { dev } = await stat(here.root);
  await here.cleanup();
  for (const path of ['/dev/shm', temporaryDisk()]) {
    const other = await stat(path).catch(() => undefined);
    if (other && other.dev !== dev) return path;
  }
  return undefined;
}

const elsewhere = await otherFileSystem();

describe('local store, on its disk', () => {
  let harness: LocalHarness;
  before(async () => {
    harness = await makeLocalStore();
  });
  after(() => harness.cleanup());

  it('removes directories that a delete left empty, and no others', async () => {
    const { store, root } = harness;
    const user = randomUUID();
    await putBytes(harness, 'x', `p/${user}/one/0/a.jpg`);
    await putBytes(harness, 'x', `p/${user}/two/0/a.jpg`);
    await store.delete([`p/${user}/one/0/a.jpg`]);
    assert.deepEqual(await readdir(join(root, 'p', user)), ['two']);
    await store.delete([`p/${user}/two/0/a.jpg`]);
    assert.ok(!(await readdir(root)).includes('p'));
    await access(root);
  });

  it('puts and deletes concurrently in one directory', async () => {
    const { store } = harness;
    const folder = `race/${randomUUID()}`;
    const rounds = Array.from({ length: 200 }, async (_, i) => {
      const key = `${folder}/${i % 3}/${i}.jpg`;
      await putBytes(harness, String(i), key);
      assert.equal(String(await bytesOf(store, key)), String(i));
      if (i % 2) await store.delete([key]);
      return key;
    });
    const keys = await Promise.all(rounds);
    const kept = keys.filter((_, i) => i % 2 === 0);
    assert.deepEqual(await listed(store, `${folder}/`), kept.sort());
    await store.delete(kept);
    assert.deepEqual(await listed(store, folder), []);
  });

  it('lists nothing that is not an object', async () => {
    const { store, root } = harness;
    await mkdir(join(root, '~copies'), { recursive: true });
    await writeFile(join(root, '~copies', randomUUID()), 'half');
    await mkdir(join(root, 'lost+found'), { recursive: true });
    assert.deepEqual(
      (await listed(store, '')).filter((key) => /copies|lost/.test(key)),
      [],
    );
  });

  it('never creates its root: a missing root is a missing mount', async () => {
    const gone = await makeLocalStore();
    try {
      await rename(gone.root, `${gone.root}.away`);
      await assert.rejects(putBytes(gone, 'x'), { code: 'unavailable' });
      await assert.rejects(gone.store.delete([newKey()]), { code: 'unavailable' });
      await assert.rejects(gone.store.check(), { code: 'unavailable' });
      await assert.rejects(access(gone.root), { code: 'ENOENT' });
    } finally {
      await gone.cleanup();
    }
  });

  it('answers unavailable when the system refuses, and leaves the file to the caller', async () => {
    const { store, root } = harness;
    // A name that the file system refuses stands for all errors, since root has all permissions.
    const object = await incomingFile(harness, `blocked/0/a.jpg`, 'x');
    await writeFile(join(root, 'blocked'), 'a file where a folder should be');
    await assert.rejects(store.put([object]), { code: 'unavailable' });
    await access(object.path);
    await rm(join(root, 'blocked'));
  });

  it('gets its sentinel once, and keeps it', async () => {
    const { store, incoming } = harness;
    const owner = await readSentinel(store);
    assert.ok(owner);
    await writeSentinel(store, owner, incoming);
    await assert.rejects(writeSentinel(store, randomUUID(), incoming), /belongs to instance/);
    assert.equal(await readSentinel(store), owner);
    assert.ok(!(await readdir(incoming)).some((name) => name.startsWith('instance')));
  });
});

describe('local store, with uploads on another file system', { skip: !elsewhere }, () => {
  let harness: LocalHarness;
  before(async () => {
    harness = await makeLocalStore(elsewhere);
  });
  after(() => harness.cleanup());

  it('copies them and leaves nothing behind', async () => {
    const { root, incoming } = harness;
    const bytes = randomBytes(3_000_000);
    const key = await putBytes(harness, bytes);
    assert.deepEqual(await bytesOf(harness.store, key), bytes);
    await assert.rejects(putBytes(harness, 'second', key), /object exists/);
    assert.deepEqual(await readdir(join(root, '~copies')), []);
    assert.equal((await readdir(incoming)).length, 1, 'the refused file stays with the caller');
  });

  it('removes the copies of killed processes, but not those in progress', async () => {
    const { root } = harness;
    const copies = join(root, '~copies');
    await mkdir(copies, { recursive: true });
    for (const name of ['stale', 'fresh']) await writeFile(join(copies, name), 'half');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(copies, 'stale'), longAgo, longAgo);
    await putBytes(harness, 'x');
    assert.deepEqual(await readdir(copies), ['fresh']);
  });
});
