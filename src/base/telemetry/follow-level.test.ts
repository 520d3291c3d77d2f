import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../../testkit/eventually.js';
import { temporaryDirectory } from '../../../testkit/temporary.js';
import { followLevel, readLevel, createLogger } from './logger.js';

test('a logger follows the level in a file, and returns to its own without it', async (t) => {
  const dir = await temporaryDirectory('level');
  t.after(() => rm(dir, { recursive: true }));
  const file = join(dir, 'level');
  const logger = createLogger({ level: 'error', format: 'text' });
  t.after(followLevel(file, logger));
  const becomes = (level: string) => eventually(level, async () => logger.level === level);
  await writeFile(file, 'warn\n');
  await becomes('warn');
  await rm(file);
  await becomes('error');
});

test('a file that contains anything but a level is ignored', async (t) => {
  const dir = await temporaryDirectory('level');
  t.after(() => rm(dir, { recursive: true }));
  const file = join(dir, 'level');
  for (const [text, level] of [
    ['debug\n', 'debug'],
    [' info', 'info'],
    ['', undefined],
    ['loud', undefined],
    ['debug'.padEnd(1_000_000, 'x'), undefined],
  ] as const) {
    await writeFile(file, text);
    assert.equal(readLevel(file), level);
  }
  assert.equal(readLevel(dir), undefined);
  assert.equal(readLevel(`${file}.none`), undefined);
});
