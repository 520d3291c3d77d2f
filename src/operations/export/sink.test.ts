import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../../errors/operator.js';
import { DirectorySink } from './sink.js';

async function* brokenOff(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(100_000);
  throw new Error('interrupted');
}

test('nothing stays of a file that was broken off, and the export can go on', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-sink-'));
  t.after(() => rm(dir, { recursive: true }));
  const sink = await DirectorySink.open(dir, 'user 1');
  const file = { path: 'files/a.jpg', bytes: 200_000, modified: new Date() };
  await assert.rejects(sink.add({ ...file, content: brokenOff() }), /interrupted/);
  assert.deepEqual(await readdir(join(dir, 'files')), []);
  await DirectorySink.open(dir, 'user 1');
});

test('a directory that cannot be made is named, with its error', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-sink-'));
  t.after(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, 'file'), '');
  const at = join(dir, 'file', 'export');
  await assert.rejects(DirectorySink.open(at, 'user 1'), (error) => {
    assert.ok(error instanceof OperatorError);
    assert.deepEqual([error.exitCode, error.setting], [2, 'DIR']);
    assert.equal(error.message, `${at} cannot be written (ENOTDIR).`);
    return true;
  });
  await assert.rejects(
    DirectorySink.open(join(dir, 'file'), 'user 1'),
    /file is not a directory\./,
  );
  // Where mkdir's own recursion never ends.
  await assert.rejects(DirectorySink.open('/proc/imgstore', 'user 1'), /written \(ENOENT\)/);
});
