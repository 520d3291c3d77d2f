// @ts-check
// node scripts/package/modules.mjs FOLDER: copies the npm packages that the bundles load on this machine
// into a folder, without what nothing reads at run time.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licenseFile, separatePackages } from '../bundle.mjs';

/**
 * @typedef {{
 *   os?: string[], cpu?: string[], libc?: string[], optional?: boolean,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 * }} Package an entry of the lockfile
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const [, , into] = process.argv;
if (!into) {
  console.error('Usage: node scripts/package/modules.mjs FOLDER');
  process.exit(2);
}

/** @type {{ packages: Record<string, Package> }} */
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** @type {(list: string[] | undefined, value: string) => boolean} */
const allows = (list, value) => list === undefined || list.includes(value);

/**
 * Whether a package is for this platform; packages for others may be installed alongside.
 * @param {Package} one
 */
const fits = ({ os, cpu, libc }) =>
  allows(os, 'linux') && allows(cpu, process.arch) && allows(libc, 'glibc');

/**
 * Where Node.js finds the package `name` for one in `folder`: there, or in a folder above.
 * @param {string} folder @param {string} name @returns {string}
 */
function resolve(folder, name) {
  const path = join(folder, 'node_modules', name);
  if (packages[path] || folder === '.') return path;
  return resolve(dirname(folder), name);
}

/**
 * Adds the package in `folder`, and all that it needs, to the folders in `found`.
 * @param {string} folder @param {Map<string, Package>} found
 */
function addWithNeeds(folder, found) {
  const own = packages[folder];
  if (found.has(folder) || !own) return; // an optional peer is not installed
  found.set(folder, own);
  const { dependencies, optionalDependencies } = own;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    addWithNeeds(resolve(folder, name), found);
  }
}

/** Folders of the npm packages that the bundles load on this machine, according to the lockfile. */
function productionModules() {
  /** @type {Map<string, Package>} */
  const found = new Map();
  for (const name of separatePackages) addWithNeeds(join('node_modules', name), found);
  const wanted = [...found].filter(([, one]) => fits(one));
  const missing = wanted.filter(([path, one]) => !one.optional && !existsSync(join(root, path)));
  if (missing.length > 0) {
    throw new Error(`npm packages are missing: ${missing.map(([path]) => path).join(', ')}`);
  }
  return wanted.map(([path]) => path).filter((path) => existsSync(join(root, path)));
}

/** Files that nothing reads at run time; licenses are kept. */
const idle = /\.(map|[cm]?ts|flow|markdown|md)$|\.test\.[cm]?js$|^\.(git|npm|eslint|travis)/;

/** Folders of a package that only its own developers need. */
const workshop = /^(tests?|benchmarks?|examples?|docs?)$/;

/** Folders of native modules for other platforms. */
const foreign = /^(musl|darwin|win32|freebsd|openbsd)_/;

/**
 * Whether a file or folder of a package is needed at run time.
 * @param {string} file @param {string} packageFolder
 */
function isUseful(file, packageFolder) {
  const name = basename(file);
  if (file === packageFolder || licenseFile.test(name)) return true;
  if (name === 'node_modules') return false; // separate packages
  return (
    !idle.test(name) &&
    !foreign.test(name) &&
    !(dirname(file) === packageFolder && workshop.test(name))
  );
}

for (const path of productionModules()) {
  const from = join(root, path);
  /** @param {string} file */
  const filter = (file) => isUseful(file, from);
  cpSync(from, join(into, path), { recursive: true, filter });
}
