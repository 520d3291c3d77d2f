// npm run release [-- --draft]: builds all files of a version in release/, ready to be tagged and
// published. --draft allows uncommitted changes and a version without a dated section.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { version as ownVersion } from '../src/base/installed-files.js';
import { changesOf } from './changes.js';
import { findMaintainer, orStop } from './package/maintainer.js';
import { packedFiles, root } from './package/tree.js';

const { values } = parseArgs({ options: { draft: { type: 'boolean', default: false } } });
const version = ownVersion();
const out = join(root, 'release');
const say = (message: string): void => console.error(message);
const run = (file: string, ...args: readonly string[]): string =>
  execFileSync(file, args, { cwd: root, encoding: 'utf8' }).trim();

/** @throws Error with the reason why this version cannot be tagged. */
function assertTaggable(): void {
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

/** The part of the lockfile that applies to installations of the package. */
function shrinkwrap(): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devDependencies?: object }>;
  };
  const used = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  const packages = Object.fromEntries(used);
  delete packages['']?.devDependencies;
  return `${JSON.stringify({ ...lock, packages }, null, 2)}\n`;
}

/** Creates the published package in a folder. It installs exactly the versions that were tested. */
function layPackage(folder: string): void {
  for (const path of packedFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as {
    scripts?: object;
    devDependencies?: object;
    files: string[];
  };
  // Only a clone can run these.
  delete manifest.scripts;
  delete manifest.devDependencies;
  manifest.files.push('npm-shrinkwrap.json');
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), shrinkwrap());
}

/** Packs a folder, with its own build first if requested. */
function packFolder(folder: string, { build = false } = {}): void {
  const scripts = build ? '--foreground-scripts=false' : '--ignore-scripts';
  const args = ['pack', folder, '--json', scripts, '--pack-destination', out];
  execFileSync('npm', args, { stdio: 'pipe' });
}

/** The bill of materials of such a folder, in CycloneDX format. */
function billOfMaterials(folder: string): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev'];
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
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
  packFolder(folder);
  packFolder(join(root, 'clients/typescript'), { build: true });
  say('Writing the bill of materials');
  writeFileSync(join(out, `imgstore-${version}.cdx.json`), billOfMaterials(folder));
  say('Packing for Debian');
  run(process.execPath, join(root, 'dist/scripts/package-deb.js'), '--out', out);
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
