import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Searched for, since compiled sources and bundles are at different depths below it. */
function findPackage(): URL {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    if (existsSync(new URL('package.json', folder))) return folder;
    if (folder.pathname === '/') throw new Error('imgstore has no package.json');
  }
}

const packageFolder = findPackage();

/** @returns the path of a file of this package, such as `assets/sample.jpg`. */
export const packageFile = (path: string): string => fileURLToPath(new URL(path, packageFolder));

/** @returns the path of a bundle, which runs in a process or a thread of its own. */
export const bundleFile = (name: string): string => packageFile(`dist/bundle/${name}.js`);

let known: string | undefined;

/**
 * The version of this imgstore: that of package.json, and between two releases also the commit that the
 * build noted, such as `0.3.0-dev+1a2b3c4d`.
 */
export const version = (): string => (known ??= readVersion());

function readVersion(): string {
  const manifest = readFileSync(packageFile('package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const commit = packageFile('dist/bundle/commit');
  if (!version.endsWith('-dev') || !existsSync(commit)) return version;
  return `${version}+${readFileSync(commit, 'utf8').trim()}`;
}
