import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../src/base/installed-files.js';

/** The base of the image, with its version of Node.js, which the Debian package contains as well. */
export const [imageBase = '', nodeVersion = '', imageSuite = ''] =
  /(node:([\d.]+)-(\w+)-slim) AS node$/m
    .exec(readFileSync(packageFile('docker/Dockerfile'), 'utf8'))
    ?.slice(1) ?? [];

/**
 * Installs that version from the npm registry, which has the builds of nodejs.org, below a folder.
 * @returns where `bin/node` and `LICENSE` are.
 */
export function installNode(into: string, arch: string = process.arch): string {
  const name = `node-linux-${arch}`;
  const options = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `--cpu=${arch}`,
  ];
  execFileSync('npm', ['install', '--prefix', into, ...options, `${name}@${nodeVersion}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(into, 'node_modules', name);
}

/** Debian packages of the shared libraries that a Node.js release loads. */
const packageOf = new Map([
  ['libstdc++.so.6', 'libstdc++6'],
  ['libgcc_s.so.1', 'libgcc-s1'],
]);
const partsOfLibc = /^(libc|libm|libdl|libpthread|librt|ld-linux[\w-]*)\.so\.\d+$/;

/** @throws Error for a library of an unknown package. */
function libraryPackages(node: string): string[] {
  const listed = execFileSync('ldd', [node], { encoding: 'utf8' });
  const names = [...listed.matchAll(/^\s+(\S+) =>/gm)].map(([, name = '']) => name);
  const foreign = names.filter((name) => !packageOf.has(name) && !partsOfLibc.test(name));
  if (foreign.length > 0) throw new Error(`${node} needs ${foreign.join(', ')}: of which package?`);
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

/** The dependencies of a package with this Node, for the control file. */
export function nodeDependencies(node: string): string[] {
  return [`libc6 (>= ${libcVersion(node)})`, ...libraryPackages(node)].sort();
}

/** Copies an installed Node.js, stripped of symbols, and its license. */
export function copyNode(installed: string, target: string, licenceTarget: string): void {
  copyFileSync(join(installed, 'bin/node'), target);
  chmodSync(target, 0o755);
  // This affects only the size: without binutils, the binary is packaged unstripped.
  if (existsSync('/usr/bin/strip')) execFileSync('strip', ['--strip-unneeded', target]);
  execFileSync(target, ['--eval', '0']);
  copyFileSync(join(installed, 'LICENSE'), licenceTarget);
}
