import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('CONTRIBUTING.md names only files that exist', async () => {
  const text = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
  const table = text.split('## Where a rule lives')[1]?.split('\n## ')[0] ?? '';
  const named = [...table.matchAll(/`((?:src|workers|migrations)\/[\w./-]+\.ts)`/g)].map(
    ([, path]) => path,
  );
  assert.ok(named.length > 12, `${named.length} files`);
  assert.deepEqual(
    named.filter((path) => path && !existsSync(join(root, path))),
    [],
  );
});
