import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { licenseFile, separatePackages } from '../bundle.mjs';

const allows = (list, value) => list === undefined || list.includes(value);

/** Whether a package is for this platform; packages for others may be installed alongside. */
const fits = ({ os, cpu, libc }) =>
  allows(os, 'linux') && allows(cpu, process.arch) && allows(libc, 'glibc');

/** Where Node.js finds the package `name` for one in `folder`: there, or in a folder above. */
function resolve(packages, folder, name) {
  const path = join(folder, 'node_modules', name);
  if (packages[path] || folder === '.') return path;
  return resolve(packages, dirname(folder), name);
}

/** Adds the package in `folder`, and all that it needs, to the folders in `found`. */
function addWithNeeds(packages, folder, found) {
  if (found.has(folder) || !packages[folder]) return; // an optional peer is not installed
  found.add(folder);
  const { dependencies, optionalDependencies } = packages[folder];
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    addWithNeeds(packages, resolve(packages, folder, name), found);
  }
}

/** Folders of the npm packages that the bundles load on this machine, according to the lockfile. */
export function productionModules(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Set();
  for (const name of separatePackages) addWithNeeds(packages, join('node_modules', name), found);
  const wanted = [...found].map((path) => [path, packages[path]]).filter(([, p]) => fits(p));
  const missing = wanted.filter(([path, p]) => !p.optional && !existsSync(join(root, path)));
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

/** Whether a file or folder of a package is needed at run time. */
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

/** Copies them into `into`, without what is not needed there. */
export function copyModules(root, into) {
  for (const path of productionModules(root)) {
    const from = join(root, path);
    cpSync(from, join(into, path), { recursive: true, filter: (file) => isUseful(file, from) });
  }
}
