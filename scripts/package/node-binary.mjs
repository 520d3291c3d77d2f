import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Debian packages of the shared libraries that a release of Node.js loads. */
const packageOf = { 'libstdc++.so.6': 'libstdc++6', 'libgcc_s.so.1': 'libgcc-s1' };
const partsOfLibc = /^(libc|libm|libdl|libpthread|librt|ld-linux[\w-]*)\.so\.\d+$/;

/** @throws Error for a Node that is not complete by itself, as a distribution's own may be. */
function libraryPackages(node) {
  const listed = execFileSync('ldd', [node], { encoding: 'utf8' });
  const names = [...listed.matchAll(/^\s+(\S+) =>/gm)].map(([, name]) => name);
  const foreign = names.filter((name) => !packageOf[name] && !partsOfLibc.test(name));
  if (foreign.length > 0) {
    throw new Error(
      `${node} needs ${foreign.join(', ')}: package with a Node.js of https://nodejs.org, which is complete by itself.`,
    );
  }
  return names.flatMap((name) => packageOf[name] ?? []);
}

/** The newest version of the C library that a program asks for, as its symbols say. */
function libcVersion(node) {
  const versions = [
    ...readFileSync(node)
      .toString('latin1')
      .matchAll(/GLIBC_2\.(\d+)/g),
  ];
  return `2.${Math.max(...versions.map(([, minor]) => Number(minor)))}`;
}

/** What the package of this machine's Node depends on, for the control file. */
export function nodeDependencies() {
  const node = realpathSync(process.execPath);
  return [`libc6 (>= ${libcVersion(node)})`, ...libraryPackages(node)].sort();
}

/** Copies this machine's Node, without its symbols, and its licence. */
export function copyNode(target, licenceTarget) {
  const node = realpathSync(process.execPath);
  copyFileSync(node, target);
  chmodSync(target, 0o755);
  // Only size is at stake: a machine without binutils packs it as it is.
  if (existsSync('/usr/bin/strip')) execFileSync('strip', ['--strip-unneeded', target]);
  execFileSync(target, ['--eval', '0']);
  const places = [join(dirname(node), '../LICENSE'), '/usr/share/doc/nodejs/LICENSE'];
  const licence = places.find((place) => existsSync(place));
  if (!licence) throw new Error(`The licence of Node.js is in none of ${places.join(', ')}.`);
  copyFileSync(licence, licenceTarget);
}
