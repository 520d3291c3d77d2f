import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gatheredChanges } from '../../scripts/changes.js';
import { packageFile, version } from '../../src/base/installed-files.js';
import { hosted } from '../../testkit/hosted-command.js';

/** A folder of fragments. */
async function folderOf(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'imgstore-changes-'));
  t.after(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test('changes of all files come by kind, each on a line', async (t) => {
  const folder = await folderOf(t, {
    'a.md': 'Fixed: One.\nAdded: Two.\n',
    'b.md': 'Added: Three.\n',
    'README.md': 'No change.\n',
  });
  const expected = '## 1.2.3\n\n### Added\n\n- Two.\n- Three.\n\n### Fixed\n\n- One.\n\n';
  assert.equal(gatheredChanges('1.2.3', folder), expected);
});

test('a line that is no change is refused by its file', async (t) => {
  for (const line of ['Two.', 'Improved: Two.', 'added: Two.', 'Added:']) {
    const folder = await folderOf(t, { 'a.md': `Added: One.\n${line}\n` });
    assert.throws(() => gatheredChanges('1.2.3', folder), /a\.md/, line);
  }
});

test('the changes since the last release are well formed', () => {
  assert.match(gatheredChanges('Unreleased'), /^## Unreleased\n\n### \w+\n\n- /);
});

test('between two releases, the version has the commit of the build', async () => {
  const manifest = JSON.parse(await readFile(packageFile('package.json'), 'utf8')) as {
    version: string;
  };
  const commit = await readFile(packageFile('dist/bundle/commit'), 'utf8').catch(() => '');
  const expected = commit === '' ? manifest.version : `${manifest.version}+${commit.trim()}`;
  assert.equal(version(), manifest.version.endsWith('-dev') ? expected : manifest.version);
  const { stdout } = await hosted(['--version']);
  assert.equal(stdout, `${version()}\n`);
});
