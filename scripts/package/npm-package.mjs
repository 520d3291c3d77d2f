import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packedFiles, root } from './tree.mjs';

/** The part of the lockfile that applies to installations of the package. */
function shrinkwrap() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const used = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  const packages = Object.fromEntries(used);
  delete packages[''].devDependencies;
  return `${JSON.stringify({ ...lock, packages }, null, 2)}\n`;
}

/** Creates the published package in a folder. It installs exactly the versions that were tested. */
export function layPackage(folder) {
  for (const path of packedFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Only a clone can run these.
  delete manifest.scripts;
  delete manifest.devDependencies;
  manifest.files = [...manifest.files, 'npm-shrinkwrap.json'];
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), shrinkwrap());
}

/** Packs a folder, with its own build first if requested. @returns the name of the tarball in `out`. */
export function packFolder(folder, out, { build = false } = {}) {
  const scripts = build ? '--foreground-scripts=false' : '--ignore-scripts';
  const args = ['pack', folder, '--json', scripts, '--pack-destination', out];
  return JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe' }))[0].filename;
}

/** The bill of materials of such a folder, in CycloneDX format. */
export function billOfMaterials(folder) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev'];
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}
