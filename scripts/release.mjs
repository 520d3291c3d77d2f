// npm run release [-- --draft]: builds all files of a version in release/, ready to be tagged and
// published. --draft allows uncommitted changes and a version without a dated section.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { version as ownVersion } from '../dist/src/base/installed-files.js';
import { changesOf } from '../dist/scripts/changes.js';
import { findMaintainer, orStop } from './package/maintainer.mjs';
import { billOfMaterials, layPackage, packFolder } from './package/npm-package.mjs';
import { root } from './package/tree.mjs';

const { values } = parseArgs({ options: { draft: { type: 'boolean', default: false } } });
const version = ownVersion();
const out = join(root, 'release');
const say = (message) => console.error(message);
const run = (file, ...args) => execFileSync(file, args, { cwd: root, encoding: 'utf8' }).trim();

/** @throws Error with the reason why this version cannot be tagged. */
function assertTaggable() {
  if (run('git', 'status', '--porcelain') !== '') {
    throw new Error('There are uncommitted changes.\n  Remedy: commit them, or add --draft.');
  }
  if (run('git', 'tag', '--list', `v${version}`) !== '') {
    throw new Error(
      `v${version} is tagged already.\n  Remedy: npm version --no-git-tag-version minor`,
    );
  }
  if (changesOf(version)) return;
  throw new Error(
    `CHANGELOG.md has no section of ${version}.\n` +
      '  Remedy: npm run changes -- --write (see changes/README.md), or add --draft.',
  );
}

orStop(findMaintainer); // before anything is built
if (!values.draft) orStop(assertTaggable);
const work = mkdtempSync(join(tmpdir(), 'imgstore-release-'));
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  say('Cutting the changes');
  writeFileSync(join(out, `CHANGES-${version}.md`), changesOf(version) ?? `## ${version}\n`);
  say('Packing for npm');
  const folder = join(work, 'imgstore');
  mkdirSync(folder);
  layPackage(folder);
  packFolder(folder, out);
  packFolder(join(root, 'clients/typescript'), out, { build: true });
  say('Writing the bill of materials');
  writeFileSync(join(out, `imgstore-${version}.cdx.json`), billOfMaterials(folder));
  say('Packing for Debian');
  run(process.execPath, join(root, 'scripts/package-deb.mjs'), '--out', out);
  const sums = readdirSync(out).map((name) => {
    const sum = createHash('sha256').update(readFileSync(join(out, name)));
    return `${sum.digest('hex')}  ${name}\n`;
  });
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
} finally {
  rmSync(work, { recursive: true });
}
console.log(
  readdirSync(out)
    .map((name) => `release/${name}`)
    .join('\n'),
);
say(
  values.draft
    ? 'This is a draft.'
    : `Next: git tag -a v${version} -F release/CHANGES-${version}.md`,
);
