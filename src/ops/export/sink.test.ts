import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../../base/errors/operator.js';
import type { Scope } from '../../../testkit/scope.js';
import { DirectorySink } from './sink.js';

async function* interrupted(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(100_000);
  throw new Error('interrupted');
}

/** Of an export that does not exist yet, and of its locks. */
async function directories(scope: Scope): Promise<{ dir: string; run: string }> {
  const root = await mkdtemp(join(tmpdir(), 'imgstore-sink-'));
  scope.after(() => rm(root, { recursive: true }));
  const run = join(root, 'run');
  await mkdir(run);
  return { dir: join(root, 'export'), run };
}

test('an interrupted file leaves nothing behind, and the export can be resumed', async (t) => {
  const { dir, run } = await directories(t);
  const sink = await DirectorySink.open(dir, 'user 1', run);
  const file = { path: 'files/a.jpg', bytes: 200_000, modified: new Date() };
  await assert.rejects(sink.add({ ...file, content: interrupted() }), /interrupted/);
  assert.deepEqual(await readdir(join(dir, 'files')), []);
  await sink.close();
  await DirectorySink.open(dir, 'user 1', run);
});

test('a second export into a directory is refused while the first writes there', async (t) => {
  const { dir, run } = await directories(t);
  await mkdir(dir);
  await symlink(dir, `${dir}-link`);
  const first = await DirectorySink.open(dir, 'user 1', run);
  await assert.rejects(DirectorySink.open(`${dir}-link`, 'user 1', run), (error) => {
    assert.ok(error instanceof OperatorError);
    assert.deepEqual([error.exitCode, error.setting], [1, 'DIR']);
    assert.match(error.message, new RegExp(`Process ${process.pid} is exporting into`));
    return true;
  });
  await first.close();
  const second = await DirectorySink.open(`${dir}-link`, 'user 1', run);
  await second.close();
});

test('the root of a disk is as good as an empty directory, whatever systems put there', async (t) => {
  const { dir, run } = await directories(t);
  for (const name of ['lost+found', 'System Volume Information', '$RECYCLE.BIN', '.Trash-1000'])
    await mkdir(join(dir, name), { recursive: true });
  await (await DirectorySink.open(dir, 'user 1', run)).close();
  await rm(join(dir, 'export.unfinished'));
  await mkdir(join(dir, 'lost'));
  await assert.rejects(DirectorySink.open(dir, 'user 2', run), { code: 'not_empty' });
});

test('a directory that cannot be made is named, with its error', async (t) => {
  const { dir, run } = await directories(t);
  await mkdir(dir);
  await writeFile(join(dir, 'file'), '');
  const at = join(dir, 'file', 'export');
  await assert.rejects(DirectorySink.open(at, 'user 1', run), (error) => {
    assert.ok(error instanceof OperatorError);
    assert.deepEqual([error.exitCode, error.setting], [2, 'DIR']);
    assert.equal(error.message, `${at} cannot be written (ENOTDIR).`);
    return true;
  });
  await assert.rejects(
    DirectorySink.open(join(dir, 'file'), 'user 1', run),
    /file is not a directory\./,
  );
  // Where mkdir's own recursion never ends.
  await assert.rejects(DirectorySink.open('/proc/imgstore', 'user 1', run), /written \(ENOENT\)/);
});
