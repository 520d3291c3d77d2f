import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { DataSourceOptions } from 'typeorm';
import { rows } from '../../src/database/sql.js';
import { newHome } from '../../testkit/command.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { key, needsTerminal, onTerminal } from '../../testkit/terminal.js';

async function logFile(t: TestContext): Promise<string> {
  const dir = await temporaryDirectory('log');
  t.after(() => rm(dir, { recursive: true }));
  return join(dir, 'log');
}

test('deleting commands ask on the terminal even if stdout is a file', needsTerminal, async (t) => {
  const service = await ownService(t);
  const album = await service.user();
  const { id } = await album.upload();
  await album.put<Image>(`/images/${id}`, { delete: 'True' });
  const inTrash = async (): Promise<boolean> =>
    (await rows(service.db, 'SELECT 1 FROM images WHERE id = $1', [id])).length === 1;
  const { url } = service.db.options as Extract<DataSourceOptions, { type: 'postgres' }>;
  const where = ['--home', service.home.dir, '--database-url', url ?? ''];
  const empty = ['trash', 'empty', '--user', album.id, ...where];
  const question = /Permanently delete 1 image and 0 folders of 1 user\?/;
  const log = await logFile(t);

  const interrupted = await onTerminal(empty, [[question, key.ctrlC]], { stdout: log });
  assert.equal(interrupted.code, 130);
  assert.match(interrupted.shown, /Error: Interrupted\./);
  const refused = await onTerminal(empty, [[question, key.enter]], { stdout: log });
  assert.equal(refused.code, 1);
  assert.match(refused.shown, /Error: Nothing was changed\./);
  assert.ok(await inTrash());
  assert.equal(await readFile(log, 'utf8'), '');

  const emptied = await onTerminal(empty, [[question, 'y\r']], { stdout: log });
  assert.equal(emptied.code, 0, emptied.shown);
  assert.match(await readFile(log, 'utf8'), /^Deleted 1 image and 0 folders;/);
  assert.equal(await inTrash(), false);
});

test('Ctrl-C at the prompt of "store clear" exits with 130', needsTerminal, async (t) => {
  const home = await newHome(t);
  const clear = ['store', 'clear', '--from', 'local', '--home', home.dir];
  const question = /Delete all objects left in local by the move\?/;
  const { code, shown } = await onTerminal(clear, [[question, key.ctrlC]], {
    stdout: await logFile(t),
  });
  assert.equal(code, 130, shown);
});
