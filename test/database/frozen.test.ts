import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { aboutMigrations } from '../../migrations/about.js';
import { migrations } from '../../migrations/index.js';

const folder = new URL('../../../migrations/chain/', import.meta.url);
const contents = (name: string) => readFile(new URL(name, folder), 'utf8');
const frozen = JSON.parse(await contents('frozen.json')) as Record<string, string>;

describe('landed migrations', () => {
  test('are unchanged, because databases have been migrated with them', async () => {
    for (const [name, hash] of Object.entries(frozen)) {
      const found = createHash('sha256')
        .update(await contents(name))
        .digest('hex');
      assert.equal(found, hash, `${name} must not change; write a new migration instead`);
    }
  });

  test('are all listed: "npm run generate -- frozen" appends a new one', async () => {
    const files = (await readdir(folder)).filter((name) => /^\d{4}-.*\.ts$/.test(name));
    assert.deepEqual(files.sort(), Object.keys(frozen).sort());
  });

  test('import only other migrations, since everything else may change', async () => {
    for (const name of Object.keys(frozen)) {
      for (const [, from = ''] of (await contents(name)).matchAll(/ from '([^']+)'/g)) {
        assert.ok(/^typeorm$|^\.\/\d{4}-/.test(from), `${name} imports ${from}`);
      }
    }
  });

  test('are described for "migrate --plan", each in a sentence', () => {
    const names = migrations.map((migration) => new migration().name);
    assert.deepEqual(Object.keys(aboutMigrations), names);
    for (const { does } of Object.values(aboutMigrations)) assert.match(does, /^[A-Z].*\.$/);
  });
});
