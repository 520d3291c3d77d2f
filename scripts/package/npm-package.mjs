import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packedFiles, root } from './tree.mjs';

/** The lockfile as far as it concerns those who install the package. */
function shrinkwrap() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const used = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  const packages = Object.fromEntries(used);
  delete packages[''].devDependencies;
  return `${JSON.stringify({ ...lock, packages }, null, 2)}\n`;
}

/** The package as it is published, in a folder. It installs the very versions that were tested. */
export function layPackage(folder) {
  for (const path of packedFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // What only a clone can run.
  delete manifest.scripts;
  delete manifest.devDependencies;
  manifest.files = [...manifest.files, 'npm-shrinkwrap.json'];
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), shrinkwrap());
}

/** Packs a folder, after its own build if asked. @returns the name of the tarball in `out`. */
export function packFolder(folder, out, { build = false } = {}) {
  const scripts = build ? '--foreground-scripts=false' : '--ignore-scripts';
  const args = ['pack', folder, '--json', scripts, '--pack-destination', out];
  return JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe' }))[0].filename;
}

/** The bill of materials of such a folder, in the format of CycloneDX. */
export function billOfMaterials(folder) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev'];
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}
