import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Debian packages of the shared libraries that a Node.js release loads. */
const packageOf = new Map([
  ['libstdc++.so.6', 'libstdc++6'],
  ['libgcc_s.so.1', 'libgcc-s1'],
]);
const partsOfLibc = /^(libc|libm|libdl|libpthread|librt|ld-linux[\w-]*)\.so\.\d+$/;

/** @throws Error for a Node that is not self-contained, such as a distribution's own. */
function libraryPackages(node: string): string[] {
  const listed = execFileSync('ldd', [node], { encoding: 'utf8' });
  const names = [...listed.matchAll(/^\s+(\S+) =>/gm)].map(([, name = '']) => name);
  const foreign = names.filter((name) => !packageOf.has(name) && !partsOfLibc.test(name));
  if (foreign.length > 0) {
    throw new Error(
      `${node} needs ${foreign.join(', ')}: package with a self-contained Node.js from https://nodejs.org.`,
    );
  }
  return names.flatMap((name) => packageOf.get(name) ?? []);
}

/** The newest C library version that a program requires, according to its symbols. */
function libcVersion(node: string): string {
  const versions = [
    ...readFileSync(node)
      .toString('latin1')
      .matchAll(/GLIBC_2\.(\d+)/g),
  ];
  return `2.${Math.max(...versions.map(([, minor]) => Number(minor)))}`;
}

/** The dependencies of a package with this machine's Node, for the control file. */
export function nodeDependencies(): string[] {
  const node = realpathSync(process.execPath);
  return [`libc6 (>= ${libcVersion(node)})`, ...libraryPackages(node)].sort();
}

/** Copies this machine's Node, stripped of symbols, and its license. */
export function copyNode(target: string, licenceTarget: string): void {
  const node = realpathSync(process.execPath);
  copyFileSync(node, target);
  chmodSync(target, 0o755);
  // This affects only the size: without binutils, the binary is packaged unstripped.
  if (existsSync('/usr/bin/strip')) execFileSync('strip', ['--strip-unneeded', target]);
  execFileSync(target, ['--eval', '0']);
  const places = [join(dirname(node), '../LICENSE'), '/usr/share/doc/nodejs/LICENSE'];
  const licence = places.find((place) => existsSync(place));
  if (!licence) throw new Error(`The license of Node.js is in none of ${places.join(', ')}.`);
  copyFileSync(licence, licenceTarget);
}
